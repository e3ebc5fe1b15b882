/**
 * The suite against the embedded reference, whole: it sees every described status of every operation, or
 * `spec/unseen.yaml` says why not. What is listed there and was seen after all has to leave the list.
 */

import { expect, it } from 'vitest'
import { readData } from '../spec/read-data.ts'
import { indexUnseen } from '../spec/unseen.ts'
import type { MissingParts } from '../validate/coverage/coverage-report.ts'
import { conformance } from './support/run-command.ts'

it('misses exactly the statuses that have a reason, and no operation', async () => {
  const { code, out, err } = await conformance(['coverage', '--missing', '--format', 'json', '--seed', '7'])
  expect([code, err]).toEqual([0, ''])
  const missing = JSON.parse(out) as (MissingParts & { reasons: Record<string, string> })[]
  const statuses = missing.flatMap((each) => each.statuses.map((status) => `${each.operation} ${status}`))
  expect(statuses.toSorted()).toEqual([...indexUnseen(readData('unseen')).keys()].sort())
  expect(missing.filter(({ whole }) => whole)).toEqual([])
  for (const { statuses: absent, reasons } of missing) expect(Object.keys(reasons)).toEqual(absent)
}, 600_000)
