/** Runs against a separate server: its target file, credentials, read-only runs, signals. */

import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { inFull } from '../scripts/support/in-full.ts'
import { startCommand } from '../test/support/run-command.ts'
import { conformance } from '../test/support/run-here.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-own-server-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function serve(...args: string[]) {
  const child = startCommand('serve', ...args)
  return { child, ended: once(child, 'exit') }
}

/** Waits up to a minute. */
function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  return vi.waitFor(async () => expect(await condition()).toBe(true), { timeout: 60_000 })
}

describe('against a separate server', () => {
  const ready = join(folder, 'target.json')
  let server: ReturnType<typeof serve>
  let baseUrl = ''
  let token = ''

  beforeAll(async () => {
    server = serve('--ready-file', ready)
    await until(() => existsSync(ready) && readFileSync(ready, 'utf8').endsWith('}\n'))
    const target = JSON.parse(readFileSync(ready, 'utf8'))
    expect(target.prefix).toBe('/api/v1')
    baseUrl = target.baseUrl
    token = target.credentials.superuser.token
  })

  afterAll(async () => {
    server.child.kill('SIGTERM')
    expect(await server.ended).toEqual([0, null])
    expect(existsSync(ready)).toBe(false)
  })

  async function count(table: string): Promise<number> {
    const response = await fetch(`${baseUrl}/api/v1/collections/${table}/records?perPage=1`, {
      headers: { authorization: token },
    })
    return ((await response.json()) as { totalItems: number }).totalItems
  }

  it('writes a target file that a run accepts and that only its owner can read', async () => {
    expect(statSync(ready).mode & 0o777).toBe(0o600)
    const { code, out } = await conformance(['--target', ready, '--only', 'record.id', '--only', 'create'])
    expect(out).toMatch(/document: conformant/)
    expect(out).not.toContain(token)
    expect(code).toBe(0)
  }, 60_000)

  it('rejects wrong credentials with the place and the next step', async () => {
    const wrong = {
      CONFORMANCE_SUPERUSER_IDENTITY: 'nobody@example.com',
      CONFORMANCE_SUPERUSER_PASSWORD: 'wrong-password',
    }
    const { code, out, err } = await conformance(['--base-url', baseUrl], { env: wrong })
    expect(err).toMatch(
      /sign-in of "superuser" returned no token \(status 400\)[\s\S]*credentials\.superuser[\s\S]*next/,
    )
    expect(out + err).not.toContain('wrong-password')
    expect(code).toBe(2)
  }, 60_000)

  it.runIf(inFull)(
    'rejects a token that has ended',
    async () => {
      const stale = await conformance(['--base-url', baseUrl], {
        env: { CONFORMANCE_SUPERUSER_TOKEN: 'stale-token-of-yesterday' },
      })
      expect(stale.err).toMatch(/token of the superuser was rejected/)
      expect(stale.code).toBe(2)
    },
    60_000,
  )

  it('runs what it can without credentials, says what is missing, and exits 3', async () => {
    const claims = ['--base-url', baseUrl, '--profile', 'standard']
    const { code, out } = await conformance([...claims, '--only', 'record,rules'])
    expect(out).toMatch(/CONFORMANCE_SUPERUSER_TOKEN/)
    expect(out).toMatch(/incomplete/)
    expect(code).toBe(3)
  }, 60_000)

  it('sends only reads if it is read-only', async () => {
    const before = await count('conf_plain')
    const { code } = await conformance(['--target', ready, '--read-only', '--only', 'record.id'])
    expect(code).toBe(3)
    expect(await count('conf_plain')).toBe(before)
  }, 60_000)

  const signals: [string, NodeJS.Signals, number, number][] = [
    ['Ctrl-C', 'SIGINT', 1, 130],
    ['SIGTERM', 'SIGTERM', 1, 143],
    ['the end of its terminal', 'SIGHUP', 2, 129],
  ]
  it.each(inFull ? signals : signals.slice(0, 1))(
    'cleans up at %s and exits with the code that shells expect',
    async (_, signal, times, exitCode) => {
      const before = await count('conf_plain')
      const only = ['--only', 'batch,list,create,unique', '--runs', '20']
      const child = startCommand('--target', ready, '--seed', '3', ...only)
      let out = ''
      child.stdout.on('data', (chunk) => {
        out += chunk
      })
      await until(() => out.includes('seed 3'))
      // From here there is something to clean up.
      await until(async () => (await count('conf_plain')) > before)
      for (let sent = 0; sent < times; sent += 1) child.kill(signal)
      const [code] = await once(child, 'exit')
      expect(out).toMatch(/stopping/)
      expect(code).toBe(exitCode)
      expect(await count('conf_plain')).toBe(before)
    },
    60_000,
  )
})
