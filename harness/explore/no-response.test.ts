import { once } from 'node:events'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { afterEach, expect, it, onTestFinished, vi } from 'vitest'
import { selfSigned } from '../../test/support/self-signed.ts'
import { discover } from './discover.ts'
import { explainNoResponse } from './no-response.ts'

const servers: Server[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

async function portOf(server: Server): Promise<number> {
  servers.push(server.listen(0, '127.0.0.1'))
  await once(server, 'listening')
  return (server.address() as AddressInfo).port
}

const secure = () => portOf(createTlsServer(selfSigned, (_, response) => response.end('{}')))

/** Sends a text to each connection, whatever it requests. */
const plain = (text: string) =>
  portOf(
    createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(text))
    }),
  )

it('names a certificate that is not trusted, and how to trust it', async () => {
  await expect(discover(`https://127.0.0.1:${await secure()}`)).rejects.toMatchObject({
    fact: 'the TLS certificate of the server is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)',
    next: 'set NODE_EXTRA_CA_CERTS=FILE to the certificate, or use the http address of the server',
  })
})

it('names the right address of a port that speaks HTTPS', async () => {
  const port = await secure()
  await expect(discover(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
    fact: 'the port speaks HTTPS, not HTTP',
    next: `use --base-url https://127.0.0.1:${port}`,
  })
})

it('names the right address of a port that does not speak HTTPS', async () => {
  const port = await plain('HTTP/1.1 400 Bad Request\r\ncontent-length: 0\r\n\r\n')
  await expect(discover(`https://127.0.0.1:${port}`)).rejects.toMatchObject({
    fact: 'the port does not speak HTTPS',
    next: `use --base-url http://127.0.0.1:${port}`,
  })
})

it('names headers without end', async () => {
  const port = await plain(`HTTP/1.1 200 OK\r\n${'x-more: and more\r\n'.repeat(2_000)}`)
  await expect(discover(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
    fact: 'the headers of the response are larger than 16 KiB',
  })
})

it('names what is not HTTP', async () => {
  await expect(discover(`http://127.0.0.1:${await plain('220 mail.example.com ESMTP\r\n')}`)).rejects.toThrow(
    'a server listens at this address, but its response is not HTTP',
  )
})

it('says that nothing listens at a port', async () => {
  const port = await plain('')
  for (const server of servers.splice(0)) server.close()
  await expect(discover(`http://127.0.0.1:${port}`)).rejects.toMatchObject({
    fact: 'the target is not reachable (ECONNREFUSED)',
    next: expect.stringMatching(/^start the server, correct --base-url/),
  })
})

it.each([
  ['ENOTFOUND', 'correct the host name in --base-url'],
  ['EAI_AGAIN', 'check the network and its name server'],
])('says that a host name does not resolve: %s', async (code, next) => {
  const cause = Object.assign(new Error(`getaddrinfo ${code} nowhere.example`), { code })
  const error = await explainNoResponse(
    { fault: 'unreachable', cause, message: '' },
    'http://nowhere.example:80',
  )
  expect([error.fact, error.next]).toEqual([
    `the host name "nowhere.example" does not resolve (${code})`,
    next,
  ])
})

it('says that the proxy of the environment is not used, where the host is remote', async () => {
  vi.stubEnv('HTTPS_PROXY', 'http://proxy.test:3128')
  onTestFinished(() => void vi.unstubAllEnvs())
  const error = { fault: 'timeout', message: '' } as const
  const facts = await Promise.all(
    ['https://api.test', 'http://api.test', 'https://127.0.0.1'].map(
      async (url) => (await explainNoResponse(error, url)).fact,
    ),
  )
  const usual = 'no complete response from the target within 10000 ms'
  const direct = 'the suite connects directly, and does not use the proxy of HTTPS_PROXY'
  expect(facts).toEqual([`${usual}; ${direct}`, usual, usual])
})
