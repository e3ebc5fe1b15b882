/**
 * Output that goes nowhere: its reader has left, or its disk is full. What was begun is ended as if nothing were.
 */

import { type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { createReference } from '../reference/reference.ts'
import { builtCommand } from '../scripts/support/command.ts'
import { userEnvironment } from '../scripts/support/user-environment.ts'
import { tableDefinitions } from '../spec/tables.ts'
import { page, plainExchange } from '../test/validate/exchanges.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'conformance-lost-'))
const reference = createReference({ tables: tableDefinitions() })
let base = ''

beforeAll(async () => {
  base = (await reference.listen()).url
})
afterAll(async () => {
  await reference.close()
  rmSync(folder, { recursive: true, force: true })
})

function start(args: string[], stdio: SpawnOptions['stdio'] = 'pipe') {
  return spawn(process.execPath, [builtCommand, ...args], {
    cwd: root,
    env: userEnvironment(),
    stdio,
  })
}

/** @returns the exit code, and what was said on the stream that is left */
async function withoutReader(gone: 'stdout' | 'stderr', args: string[]): Promise<[number, string]> {
  const child = start(args)
  child[gone]?.destroy()
  let said = ''
  child[gone === 'stdout' ? 'stderr' : 'stdout']?.on('data', (chunk) => {
    said += chunk
  })
  const [code] = (await once(child, 'close')) as [number]
  return [code, said]
}

it('a run goes on to its verdict, writes its progress and its report, and deletes what it created', async () => {
  const file = join(folder, 'report.json')
  const claims = ['--base-url', base, '--profile', 'standard', '--only', 'record.id']
  expect(await withoutReader('stdout', [...claims, '--report', `json=${file}`])).toEqual([0, '1/1\n'])
  const { leftovers, sent } = JSON.parse(readFileSync(file, 'utf8')) as RunReport
  expect(leftovers).toEqual([])
  expect(sent?.writes).toBeGreaterThan(0)
}, 120_000)

it.each<[string, () => string[], number]>([
  ['a list', () => ['list'], 0],
  ['an explanation', () => ['explain', 'record.id'], 0],
  [
    'a validation that finds something',
    () => {
      const file = join(folder, 'bad.ndjson')
      writeFileSync(file, `${JSON.stringify(plainExchange(page({ totalPages: 9 })))}\n`)
      return ['validate', file]
    },
    1,
  ],
])(
  '%s has its own exit code',
  async (_name, args, code) => {
    expect(await withoutReader('stdout', args())).toEqual([code, ''])
  },
  60_000,
)

it.each([
  ['serve', '--no-console'],
  ['proxy', '--upstream', 'http://127.0.0.1:9'],
])(
  '%s, which has no end, stops as at Ctrl-C and has no success',
  async (command, ...args) => {
    const ready = join(folder, `${command}.ready`)
    const [code, said] = await withoutReader('stdout', [command, ...args, '--ready-file', ready])
    expect([code, said]).toEqual([command === 'serve' ? 141 : 3, ''])
    expect(existsSync(ready)).toBe(false)
  },
  60_000,
)

it('a mistake counts although no one reads the output', async () => {
  expect(await withoutReader('stderr', ['--bogus'])).toEqual([2, ''])
}, 60_000)

it.skipIf(!existsSync('/dev/full'))(
  'a full disk is reported in a line, and is not a success',
  async () => {
    const full = openSync('/dev/full', 'w')
    const child = start(['list'], ['ignore', full, 'pipe'])
    closeSync(full)
    let said = ''
    child.stderr?.on('data', (chunk) => {
      said += chunk
    })
    const [code] = (await once(child, 'close')) as [number]
    expect(said).toMatch(/^record-auth-conformance \S+: the output cannot be written \(ENOSPC\)\n$/)
    expect(code).toBe(2)
  },
  60_000,
)
