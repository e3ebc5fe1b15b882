/** `--watch` against a server: runs again when the target file changes, and when the server was restarted. */

import { writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { type SmallServer, startSmallServer } from '../support/small-server.ts'
import { MINUTE, targetRuns, until } from '../support/target-runs.ts'

const { begin, file } = targetRuns()

let server: SmallServer
afterEach(() => server.close())

it(
  'runs again after each change, and ends with the signal',
  async () => {
    server = await startSmallServer()
    const target = { baseUrl: server.url, tables: { plain: { name: 'notes' } } }
    const path = file('watched.json', target)
    const { child, ended } = begin(['--target', path, '--watch', '--only', 'list.shape', '--seed', '7'])
    let out = ''
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (out += chunk))
    const waits = () => out.split('(Ctrl-C ends)').length - 1
    try {
      await until(child, () => waits() === 1)
      expect(out).toContain(`waiting for ${path} or a restart of the server`)
      writeFileSync(path, JSON.stringify({ ...target, tables: { plain: { name: 'notez' } } }))
      await until(child, () => waits() === 2)
      expect(out).toContain(`${path} has changed`)
      expect(out).toContain('the server has no table "notez"')
      writeFileSync(path, JSON.stringify(target))
      await until(child, () => waits() === 3)
      const port = Number(new URL(server.url).port)
      server.close()
      // A restart takes time: a connection that only closes and opens again is none.
      await sleep(600)
      server = await startSmallServer({ port })
      await until(child, () => waits() === 4)
      expect(out).toContain('the server is back')
      expect(out.match(/^document: conformant/gm)).toHaveLength(3)
    } finally {
      child.kill('SIGINT')
    }
    expect((await ended).code).toBe(130)
  },
  3 * MINUTE,
)
