/**
 * Servers that answer in their own way where the document leaves it open: the requirements of the document hold for
 * them, so that no check of one may fail.
 */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { CONFIRMS } from '../faults/combinators/auth.ts'
import { all, forgive, tamper } from '../faults/combinators/combinators.ts'
import { refuses, shows, WRITES } from '../faults/combinators/field.ts'
import { nothing } from '../faults/combinators/query.ts'
import type { Fault } from '../faults/fault.ts'
import { type FaultyServer, startFaultyServer } from '../faults/matrix/faulty-server.ts'
import { planChecks } from '../harness/plan.ts'
import { runInProcess } from '../harness/run-in-process.ts'
import { loadSuites } from '../harness/suites.ts'
import { createValidator } from '../harness/wire/validator.ts'
import { loadRequirements } from '../spec/requirements.ts'

const requirements = loadRequirements()
const parts = { requirements, validator: createValidator() }
let server: FaultyServer

beforeAll(async () => {
  server = await startFaultyServer(1)
})
afterAll(() => server.close())

/** In what such a server differs, and the requirements that must hold for it all the same. */
const different: [string, Fault['make'], string[]][] = [
  [
    'writes the values of its fields in another form',
    all(
      shows('date', (value) => String(value).replace(' ', 'T')),
      shows('geo', (value) => Object.values(value as object)),
      shows('number', String),
      shows('json', (value) => JSON.stringify(value)),
    ),
    ['field-types.all', 'update.changes-only-sent'],
  ],
  [
    'takes only forms of values that nobody can know',
    refuses(WRITES, (body) => 'date' in body || 'geo' in body),
    ['field-types.all'],
  ],
  [
    'lists nothing where the caller may not list',
    forgive('listRecords', 403, 200, nothing),
    ['api-key.table-scope', 'api-key.action-scope', 'api-key.revoked', 'api-key.altered'],
  ],
  [
    'tells nobody whether a confirmation was one',
    forgive(CONFIRMS, 400, 204),
    [
      'verification.proof-required',
      'password-reset.proof-required',
      'email-change.proof-required',
      'flow.own-step-only',
    ],
  ],
  [
    'gives the keys of an object in another order each time',
    (tools) => {
      let turn = 0
      return tamper('listAuthMethods', (body) => {
        const entries = Object.entries(body)
        return Object.fromEntries(turn++ % 2 === 0 ? entries : entries.reverse())
      })(tools)
    },
    ['auth.table-by-id'],
  ],
]

describe('a server that', () => {
  it.each(different)(
    '%s',
    async (name, make, ids) => {
      await server.use({ name, trips: [], make })
      const checks = planChecks(await loadSuites(), requirements, { only: ids })
      const { findings, errors } = await runInProcess(checks, server.target, parts, { seed: 7, quick: true })
      expect(errors).toEqual([])
      expect(findings.filter(({ status }) => status !== 'pass').map(({ message }) => message)).toEqual([])
      expect(findings.map(({ requirement }) => requirement).sort()).toEqual(ids.toSorted())
    },
    60_000,
  )
})
