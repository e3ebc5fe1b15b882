/**
 * `conformance proxy` as a process: from its first line to its summary after Ctrl-C, with what it recorded.
 */

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { proxyCommand } from '../../cli/proxy.ts'
import { builtCommand } from '../../scripts/support/command.ts'
import { createValidator } from '../../validate/create-validator.ts'
import { commandInProcess } from '../support/command-in-process.ts'
import { exchangesIn } from './exchanges.ts'
import { faultsOfHar } from './har-structure.ts'
import { bad, good, path } from './responding-server.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-proxy-command-'))
let server: Server
let upstream = ''

beforeAll(async () => {
  server = createServer(({ url = '', method }, response) => {
    const json = { 'content-type': 'application/json', 'set-cookie': 'session=cookie-of-mine' }
    if (url.includes('bytes')) response.writeHead(200, json).end(Buffer.from([0xff, 0xfe, 0x00, 0x80]))
    else if (url.includes('else')) response.writeHead(302, { location: '/there' }).end()
    else if (url.includes('odd')) response.writeHead(201, json).end(bad)
    else if (method === 'POST') response.writeHead(200, json).end('{"token":"eyJhbGciOi.abcdefgh.ijklmnop"}')
    else response.writeHead(200, json).end(url.includes('bad') ? bad : good)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  upstream = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, content: string): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

interface Running {
  url: string
  /** Ctrl-C, and what came of it. */
  stop(): Promise<{ code: number; out: string; err: string }>
}

async function proxy(...args: string[]): Promise<Running> {
  const child: ChildProcess = spawn(
    process.execPath,
    [builtCommand, 'proxy', '--upstream', upstream, ...args],
    {
      cwd: root,
      env: { ...process.env, NO_COLOR: '1', NODE_OPTIONS: '' },
    },
  )
  const said = { out: '', err: '' }
  child.stderr?.on('data', (chunk) => {
    said.err += chunk
  })
  const url = await new Promise<string>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`the proxy ended with ${code}: ${said.err}`)))
    child.stdout?.on('data', (chunk) => {
      said.out += chunk
      const [, found] = /proxy at (\S+) for/.exec(said.out) ?? []
      if (found !== undefined) resolve(found)
    })
  })
  return {
    url,
    async stop() {
      const ended = once(child, 'close')
      child.kill('SIGINT')
      const [code] = (await ended) as [number]
      return { code, ...said }
    },
  }
}

async function get(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, { redirect: 'manual', ...init })
  await response.arrayBuffer()
  return response.status
}

it('exits 0 with a summary when all conforms', async () => {
  const { url, stop } = await proxy()
  await get(`${url}${path}`)
  expect(await stop()).toMatchObject({
    code: 0,
    out: expect.stringMatching(/\n1 of 1 exchange matches an operation: 1 conform, 0 do not\n$/),
  })
})

it('exits 1 for what does not conform, and names it; --mode fail answers 502', async () => {
  const junit = join(folder, 'proxy.xml')
  const reports = ['--report', `junit=${junit}`]
  const { url, stop } = await proxy('--mode', 'fail', '--quiet', '--fail-under', 'operations=1', ...reports)
  expect([await get(`${url}${path}?bad`), await get(`${url}${path}`)]).toEqual([502, 200])
  expect(await stop()).toMatchObject({
    code: 1,
    out: expect.stringMatching(
      /\nfindings by requirement\n {2}list\.total-pages {2}1\ncoverage of 2 .*[\s\S]*2 of 2 .* 1 conform, 1 do not\n$/,
    ),
  })
  expect(readFileSync(junit, 'utf8')).toMatch(
    /name="list\.total-pages"[\s\S]*?<failure message="1 exchange breaks it: GET \S+ 200 at \$\.totalPages"/,
  )
})

it('lists what counts, and says how many responses only differ from a profile that is not claimed', async () => {
  const { url, stop } = await proxy()
  await get(`${url}${path}?odd`)
  const { code, out } = await stop()
  expect(code).toBe(1)
  expect(out).toMatch(/\nfindings by requirement\n {2}list\.total-pages {2}1\n1 of 1 /)
  expect(out).toMatch(/\n1 response differs from the standard profile .* \(not counted\)/)
})

it('exits 3 when nothing was judged', async () => {
  const { url, stop } = await proxy()
  await get(`${url}/elsewhere`)
  expect(await stop()).toMatchObject({ code: 3, out: expect.stringContaining('0 of 1 exchange') })
})

it('exits 1 when the coverage is below its floor', async () => {
  const { url, stop } = await proxy('--fail-under', 'operations=90')
  await get(`${url}${path}`)
  expect(await stop()).toMatchObject({
    code: 1,
    out: expect.stringContaining('below --fail-under: operations'),
  })
})

it.each([
  [['--upstream', 'nonsense'], /given more than once|not an http or https URL/],
  [['--har', '/nowhere/at/all.har'], /the recording cannot be written \(ENOENT\)/],
  [['--mode', 'odd'], /--mode must be report, mark or fail\n/],
])('exits 2 for %j', async (args, words) => {
  const { code, err } = await commandInProcess(['proxy', '--upstream', upstream, ...args])
  expect(err).toMatch(words)
  expect(code).toBe(2)
})

it.each([
  ['127.0.0.1:8090', /did you mean http:\/\/127\.0\.0\.1:8090\?/],
  ['http://127.0.0.1:8090?key=a', /the upstream has a query or a fragment/],
])('checks the upstream as a run checks its address: %s', async (address, words) => {
  await expect(proxyCommand({ upstream: address })).rejects.toThrow(words)
})

it.each(['http://u:sekret@127.0.0.1:9', 'http://u:sekret@127.0.0.1:99999'])(
  'rejects credentials in the upstream, and does not print them: %s',
  async (address) => {
    const rejected = proxyCommand({ upstream: address })
    await expect(rejected).rejects.toThrow(/contains credentials|not an http or https URL/)
    await expect(rejected).rejects.not.toThrow('sekret')
  },
)

it.each([
  ['an upstream that is none', () => ['--upstream', 'nonsense']],
  ['tables that are none', () => ['--tables', join(folder, 'nowhere.json')]],
  ['a port that is taken', () => ['--port', new URL(upstream).port]],
  ['a ready file that is something else', () => ['--ready-file', file('notes.yaml', 'my: notes')]],
])('keeps an earlier recording if it cannot start: %s', async (_name, args) => {
  const har = file('keep.har', 'precious')
  const { code } = await commandInProcess(['proxy', '--upstream', upstream, '--har', har, ...args()])
  expect(readFileSync(har, 'utf8')).toBe('precious')
  expect(code).toBe(2)
})

it('records a HAR of the structure of 1.2, without secrets, which can be validated', async () => {
  const file = join(folder, 'traffic.har')
  const { url, stop } = await proxy('--har', file, '--quiet')
  await get(`${url}${path}?filter=a%3D1&token=secret-in-query`, {
    headers: { authorization: 'token-of-mine', cookie: 'a=cookie-i-sent' },
  })
  await get(`${url}${path}?bad`)
  await get(`${url}${path}?bytes`)
  await get(`${url}/else`)
  const sign = { identity: 'me@example.com', password: 'password-of-mine' }
  await get(`${url}/api/v1/collections/users/auth-with-password`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(sign),
  })
  await stop()
  const text = readFileSync(file, 'utf8')
  expect(faultsOfHar(JSON.parse(text))).toEqual([])
  expect(text).not.toMatch(
    /secret-in-query|token-of-mine|password-of-mine|cookie-of-mine|cookie-i-sent|eyJhbG/,
  )
  expect(JSON.parse(text).log.creator).toEqual({
    name: 'record-auth-conformance',
    version: expect.any(String),
  })
  expect(JSON.parse(text).log.entries[3].response.redirectURL).toBe('/there')
  const validator = createValidator({ profile: 'standard' })
  const results = (await exchangesIn(text)).map((exchange) => {
    const { operation, ok, unjudged } = validator.validate(exchange)
    return [operation, unjudged ?? ok]
  })
  expect(results.slice(0, 4)).toEqual([
    ['listRecords', true],
    ['listRecords', false],
    ['listRecords', 'the recording has no body'],
    [undefined, true],
  ])
})
