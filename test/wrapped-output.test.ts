/** What commands print fits the terminal, except for what is copied. In a pipe, it has whole lines. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { startServe } from '../scripts/support/serve-process.ts'
import { loadExampleExchanges } from '../spec/example-exchanges.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { conformance } from './support/run-here.ts'
import { page, plainExchange } from './validate/exchanges.ts'

const columns = 66
const terminal = { env: { COLUMNS: String(columns) } }
const folder = mkdtempSync(join(tmpdir(), 'wrapped-output-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const recording = join(folder, 'traffic.ndjson')
writeFileSync(recording, JSON.stringify(plainExchange(page({ totalPages: 9 }))))

/** A command, an address, a line of an exchange, or one word. */
const copied = /^\s*(?:[<>] .*|(?:[\w-]+ {2,})?(?:npx |conformance |https?:\/\/).*|\S+)$/

function expectToFit(out: string): void {
  const lines = out.trimEnd().split('\n')
  expect(lines.filter((line) => line.length > columns && !copied.test(line))).toEqual([])
  expect(lines.length).toBeGreaterThan(3)
}

describe('fits the terminal', () => {
  it.each([
    ['--help'],
    ['openapi', '--help'],
    ['compare', '--help'],
    ['list'],
    ['explain', 'list.sort-orders'],
    ['validate', recording],
  ])('%s %s', async (...args) => {
    const { out } = await conformance(args, terminal)
    expectToFit(out)
  })

  it('doctor', async () => {
    const { out } = await conformance(['doctor'], terminal)
    expectToFit(out)
  })

  it('init', async () => {
    const server = startServe(['--seed', '7'])
    try {
      const [, url = ''] = await server.says(/reference at (http:\/\/[^/]+)/)
      const output = join(folder, 'found.yaml')
      const { out, code } = await conformance(['init', url, '--output', output], terminal)
      expect(code).toBe(0)
      expectToFit(out)
      expect(out).toContain(`\n  next    conformance doctor --target ${output}\n`)
    } finally {
      await server.stop()
    }
  })

  it('an error', async () => {
    const { err } = await conformance(['explain', 'list.sort-ordered'], terminal)
    expectToFit(`${err}\n\n`)
  })
})

it('does not break an exchange', async () => {
  const { conforming } = loadExampleExchanges()['list.sort-orders'] ?? {}
  const { out } = await conformance(['explain', 'list.sort-orders'], terminal)
  const { request, response } = conforming ?? {}
  expect(out).toContain(`\n    > ${request?.method} ${request?.path}\n`)
  expect(out).toContain(`\n    < ${response?.body}\n`)
})

it('prints a fact per line into a pipe', async () => {
  const { out } = await conformance(['doctor'])
  expect(out).toMatch(/^ {2}✓ there: plain \(given\), .*, hasty \(given\)$/m)
})

it('prints a requirement per line into a pipe', async () => {
  const { out } = await conformance(['list'])
  const lines = out.trimEnd().split('\n')
  const all = [...loadRequirements().values()]
  expect(lines).toHaveLength(all.length)
  const statements = new Set(all.map(({ statement }) => statement))
  expect(lines.filter((line) => !statements.has(line.split(/ {2,}/).slice(4).join('  ')))).toEqual([])
})
