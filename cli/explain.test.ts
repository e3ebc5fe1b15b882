import { expect, it } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'

it('explain prints the level of a requirement and the command that runs its check', async () => {
  const { out } = await commandInProcess(['explain', 'record.id'])
  expect(out).toMatch(/^record\.id\n[\s\S]*level +MUST[\s\S]*npx conformance --only record\.id/)
})

it('explains with an exchange that conforms and one that fails, and with fingerprints only if requested', async () => {
  const { out } = await commandInProcess(['explain', 'list.total-pages'])
  expect(out).toMatch(
    /^ {2}a conforming exchange\n {4}> GET \S+\n {4}< 200\n[\s\S]*^ {2}a failing exchange: unexpected value for totalPages .*\n {4}> GET /m,
  )
  expect(out).not.toMatch(/\([0-9a-f]{8}\)|fails when/)
  const verbose = await commandInProcess(['explain', 'list.total-pages', '--verbose'])
  expect(verbose.out).toMatch(/^ {2}source .* \([0-9a-f]{8}\)$[\s\S]*^ {2}fails when {2}\w/m)
})

it('lists the requirements of an area', async () => {
  const { code, out } = await commandInProcess(['explain', 'batch'])
  expect(code).toBe(0)
  expect(out).toMatch(/^(?:batch\.[\w-]+ +\S.*\n)+\n`conformance explain batch\./)
})
