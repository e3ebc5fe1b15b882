/** The examples that `conformance explain` shows: complete, small, without secrets, and what the checks send today. */

import { statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ExampleRecorder, startExampleRecorder } from '../proofs/faults/examples/example-recorder.ts'
import { loadFaults } from '../proofs/faults/matrix/registry.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { type ExampleExchanges, loadExampleExchanges } from '../spec/example-exchanges.ts'
import { loadRequirements } from '../spec/requirements.ts'

const examples = loadExampleExchanges()
const again = 'run `npm run examples -- ID` for them'

it('examples exist for each requirement, or say why not', () => {
  expect(Object.keys(examples), again).toEqual([...loadRequirements().keys()])
  const silent = Object.entries(examples).filter(
    ([, { conforming, failing, missing }]) => (!conforming || !failing) !== (missing !== undefined),
  )
  expect(silent.map(([id]) => id)).toEqual([])
  const whole = Object.values(examples).filter(({ missing }) => missing === undefined)
  expect(whole.length / Object.keys(examples).length).toBeGreaterThan(0.95)
})

it('failing examples fail because of a fault that their check must detect', async () => {
  const faults = new Map((await loadFaults()).map(({ name, trips }) => [name, trips]))
  const strange = Object.entries(examples).filter(
    ([id, { failing }]) => failing !== undefined && faults.get(failing.defect)?.includes(id) !== true,
  )
  expect(
    strange.map(([id]) => id),
    again,
  ).toEqual([])
})

it('examples are small, and without secrets', () => {
  const file = new URL('../spec/generated/exchanges.json', import.meta.url)
  expect(statSync(file).size).toBeLessThan(1_000_000)
  const text = JSON.stringify(examples)
  // Signed tokens, project keys, and the password of the superuser.
  expect(text.match(/eyJ[\w-]{8,}|rak_\w{8,}|superuser-of-the-faults/g)).toBeNull()
})

describe('a sample', () => {
  let recorder: ExampleRecorder

  beforeAll(async () => {
    recorder = await startExampleRecorder(7)
  })
  afterAll(() => recorder.close())

  // Of requests that arrive together, any may be the one that conforms.
  const races = ['record.id-unique', 'mfa.once-at-once', 'otp.once-at-once']
  const sample = ['record.id', 'list.total-pages', 'delete.removes', 'auth.password-wrong', 'text.min']

  it.each(inFull ? Object.keys(examples).filter((id) => !races.includes(id)) : sample)(
    '%s is recorded again',
    async (id) => {
      expect(outlineOf(await recorder.record(id)), again).toEqual(outlineOf(examples[id] ?? {}))
    },
  )
})

/**
 * What is the same in each run. Ids, times and marks are not. Of requests that arrive together any may fail, so the path
 * of the one that did is compared in the sample, which has none of them, and not of all.
 */
function outlineOf({ conforming, failing, missing }: ExampleExchanges) {
  const of = (request: { method: string; path: string } | undefined) =>
    request && `${request.method} ${request.path.replace(/\?.*/, '').replace(/\b\w{15}\b/g, 'ID')}`
  return {
    missing,
    conforming: [of(conforming?.request), conforming?.response?.status],
    failing: [failing?.defect, inFull || of(failing?.request), failing?.response?.status],
  }
}
