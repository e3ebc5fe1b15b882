/** `conformance validate` as a process. What else it prints: cli/validate.test.ts. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, expect, it } from 'vitest'
import { conformance } from '../support/run-command.ts'
import { page, plainExchange } from './exchanges.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-validate-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const good = JSON.stringify(plainExchange(page()))
const bad = JSON.stringify(plainExchange(page({ totalPages: 9 })))

function file(name: string, content: string | Buffer): string {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

it('exits 1 for findings and shows them', async () => {
  const { code, out } = await conformance([
    'validate',
    file('a.ndjson', `${good}\n${bad}\n`),
    file('b.gz', gzipSync(`${bad}\n${good}`)),
  ])
  expect(out).toMatch(
    /a\.ndjson:2 {2}GET \/api\/v1\/collections\/notes\/records 200\n {2}fail {2}list\.total-pages/,
  )
  expect(out).toMatch(/b\.gz:1 {2}GET/)
  expect(out).toMatch(/4 of 4 exchanges match an operation: 2 conform, 2 do not/)
  expect(code).toBe(1)
})

it('exits 0 when all conforms, reads stdin, and writes JSON if requested', async () => {
  const { code, out } = await conformance(['validate', '-', '--json'], { input: good })
  expect(JSON.parse(out)).toMatchObject({
    place: 'stdin:1',
    ok: true,
    operation: 'listRecords',
    findings: [],
  })
  expect(code).toBe(0)
})

it('exits 2 for what it cannot read, without a stack trace', async () => {
  const { code, out, err } = await conformance(['validate', join(folder, 'nowhere'), '-'], { input: bad })
  expect(out).toContain('list.total-pages')
  expect(err).toMatch(/cannot be read \(ENOENT\)\n {2}at {4}.*nowhere\n {2}next {2}use a file/)
  expect(err).not.toMatch(/\n {4}at /)
  expect(code).toBe(2)
})
