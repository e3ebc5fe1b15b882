/**
 * What the official client and the living server family said to each other (scripts/living-capture.ts), validated
 * again: nothing is found but what is known, and each of that is explained.
 */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { tableDefinitions } from '../spec/tables.ts'
import { exchangesIn } from '../test/validate/exchanges.ts'
import { createCoverage } from './coverage/create-coverage.ts'
import { createValidator } from './create-validator.ts'

const capture = readFileSync(new URL('./living-capture.ndjson', import.meta.url), 'utf8')

/** By operation and claim: why the family answers so. */
const explained: Record<string, string> = {
  'batch password.never-shown':
    'A batch answers before the plain text of a password field is cleared; alone, the same write answers with "".',
  'viewRecord wire.no-empty-success':
    'A malformed modifier in `fields` is found after the status line is written: 200 with no bytes.',
}

it('conforms, but for what is explained', async () => {
  const coverage = createCoverage()
  const validator = createValidator({
    profile: 'standard',
    prefix: '/api',
    tables: tableDefinitions(),
    strict: true,
    coverage,
  })
  const found = (await exchangesIn(capture)).flatMap((exchange) => {
    const { operation, findings } = validator.validate(exchange)
    return findings.map(({ requirement }) => `${operation} ${requirement}`)
  })
  expect(new Set(found)).toEqual(new Set(Object.keys(explained)))
  expect(coverage.report()).toMatchObject({ exchanges: 32, unknown: 0, operations: { seen: 14 } })
})

it('holds no secret', () => {
  expect(capture).not.toMatch(/eyJ[\w-]{8,}\.|correct horse|rootpass/)
})
