/** Requirements whose checks use tables that a target file declares absent. */

import { afterAll, beforeAll, expect, it } from 'vitest'
import { prepareTarget } from '../../harness/target/prepare-target.ts'
import type { PreparedTarget } from '../../harness/vocabulary/target.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

ownStateFolder()

let prepared: PreparedTarget
beforeAll(async () => {
  prepared = await prepareTarget({}, 7)
})
afterAll(() => prepared.close())

it.each([
  ['staff', 'impersonate.superuser-only', 'pass'],
  ['staff', 'auth.own-table-only', 'pass'],
  ['owned', 'impersonate.missing-record', 'pass'],
  ['owned', 'api-key.batch-scope', 'not-applicable'],
  ['locked', 'api-key.revocation-spares-sessions', 'not-applicable'],
  ['locked', 'impersonate.api-key-refused', 'not-applicable'],
])('without a table with the role %s, %s is %s', async (role, id, status) => {
  const { [role]: _, ...tables } = prepared.target.tables
  const target = { ...prepared.target, tables, absentTables: [role] }
  const { findings } = await runConformance({ target, only: [id], seed: 7 })
  expect(findings).toMatchObject([{ requirement: id, status }])
})
