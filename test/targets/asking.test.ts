/** What `init` and `doctor` learn of a server. */

import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { commandInProcess } from '../support/command-in-process.ts'
import { startFronted } from '../support/fronted-reference.ts'
import { MINUTE, targetRuns } from '../support/target-runs.ts'

const { conformance, file, folder, started } = targetRuns()

/** In this process. */
async function ask(args: string[]): Promise<{ code: number; out: string }> {
  const { code, out, err } = await commandInProcess(args, {
    env: { CONFORMANCE_STATE_DIR: join(folder, 'state') },
  })
  return { code, out: out + err }
}

it(
  'asking the server creates a target file, which says what it lacks',
  async () => {
    const { server } = await started()
    const path = join(folder, 'conformance.target.yaml')
    const output = ['--output', path]
    // As a process, for the file that it writes into its folder if none is named.
    const written = await conformance([
      'init',
      '--base-url',
      server.baseUrl,
      '--table',
      'notes,people',
      '--read-only',
    ])
    expect(written.out).toMatch(/tables {2}notes, people \(sign-in\)/)
    expect(readFileSync(path, 'utf8')).toMatch(/plain: \{ name: notes/)
    expect((await ask(['init', ...output, '--base-url', server.baseUrl, '--read-only'])).out).toMatch(
      /already exists/,
    )
    const misspelled = await ask([
      'init',
      ...output,
      '--base-url',
      server.baseUrl,
      '--table',
      'peple',
      '--force',
    ])
    expect([misspelled.code, misspelled.out]).toEqual([
      2,
      expect.stringMatching(/no table "peple"[\s\S]*"people"/),
    ])
    expect(server.log.filter((line) => !line.startsWith('GET '))).toEqual([])
    const { code, out } = await ask(['doctor', '--target', path])
    expect(out).toMatch(/there: plain \(given\), members \(given\)/)
    expect(out).toMatch(/more checks with one more line\n +\d+ checks {2}\S/)
    // One line declares all that are missing.
    const lines = out
      .split('\n')
      .filter((line) => line.includes('"tables": { "') && !line.includes('": false, "'))
    // What is the same for all tables is said once.
    expect(lines.every((line) => line.length < 100)).toBe(true)
    expect(out.match(/spec\/tables\.yaml/g)).toHaveLength(1)
    expect(code).toBe(3)
  },
  MINUTE,
)

it(
  'doctor says whether emails and the provider arrive, with an account that it deletes again',
  async () => {
    const { out, code } = await conformance(['doctor'])
    expect(out).toMatch(/✓ an email arrived \d+ ms after the request/)
    expect(out).toMatch(/✓ the server reaches the identity provider: a sign-in with \w+ succeeds/)
    expect(code).toBe(0)

    const { server, target } = await started()
    const path = file('mute.json', { ...target, capabilities: {}, services: { smtp: {}, oidc: {} } })
    const mute = await ask(['doctor', '--target', path])
    expect(mute.out).toMatch(/! mail: people rejects request-verification \(status 404\)/)
    expect(mute.out).toMatch(/! provider: not tested/)
    expect(server.count()).toBe(0)

    const before = server.log.length
    const reading = await ask(['doctor', '--target', path, '--read-only'])
    expect(reading.out).toMatch(/not tested because of --read-only: emails and the identity provider/)
    expect(server.log.slice(before).filter((line) => !line.startsWith('GET '))).toEqual([])
  },
  MINUTE,
)

it(
  'doctor sends the headers that a gateway in front of the server asks for',
  async () => {
    const { server, target } = await started()
    let rejected = 0
    const gateway = createServer((incoming, outgoing) => {
      if (incoming.headers['x-gateway'] !== 'open') {
        rejected += 1
        outgoing.writeHead(403).end()
        return
      }
      const { method, headers, url = '/' } = incoming
      const passed = request(new URL(url, server.baseUrl), { method, headers }, (received) => {
        outgoing.writeHead(received.statusCode ?? 502, received.headers)
        received.pipe(outgoing)
      })
      incoming.pipe(passed)
    })
    await once(gateway.listen(0, '127.0.0.1'), 'listening')
    const { port } = gateway.address() as AddressInfo
    try {
      const path = file('behind.json', { ...target, baseUrl: `http://127.0.0.1:${port}` })
      const asked = ['doctor', '--target', path, '--read-only']
      const { out } = await ask([...asked, '--header', 'x-gateway:open'])
      expect(out).toMatch(/there: plain \(given\)/)
      expect(rejected).toBe(0)
      await ask(asked)
      expect(rejected).toBeGreaterThan(0)
    } finally {
      gateway.close()
    }
  },
  MINUTE,
)

it(
  'init and doctor name the binding for a field that an error response of a confirm step names',
  async () => {
    const open = { listRule: '', viewRule: '', createRule: '' }
    const server = await startFronted(
      { tables: [{ name: 'people', type: 'auth', ...open, fields: [{ name: 'name', type: 'text' }] }] },
      async (request, next) =>
        request.url.endsWith('/confirm-verification')
          ? Response.json({ errors: { verification_code: 'is required' } }, { status: 422 })
          : next(request),
    )
    onTestFinished(() => server.close())
    const says = 'confirm-verification names "verification_code" in an error response'
    const written = join(folder, 'other-names.yaml')
    const init = await ask(['init', '--base-url', server.url, '--output', written])
    expect(init.out).toContain(says)
    const text = readFileSync(written, 'utf8')
    expect(text).toContain('\n#   verification.token: verification_code\n')
    expect((await ask(['doctor', '--target', written])).out).toContain(says)
    writeFileSync(written, `${text}binding: { verification.token: verification_code }\n`)
    expect((await ask(['doctor', '--target', written])).out).not.toContain(says)
  },
  MINUTE,
)
