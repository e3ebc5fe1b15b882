/**
 * A server whose responses nest 50,000 levels of JSON, several times what a stack holds: a finding wherever it does so,
 * and never an error of the run.
 */

import { expect, it } from 'vitest'
import { runInProcess } from '../../harness/engine/run-in-process.ts'
import { planChecks } from '../../harness/planning/plan.ts'
import { loadSuites } from '../../harness/planning/suites.ts'
import { reportFormats } from '../../harness/report/formats.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { sampleReport } from '../support/sample-report.ts'
import { startInBetween } from './in-between.ts'

const requirements = loadRequirements()
const areas = inFull ? /^(?:record|list|view|delete|batch|wire)\./ : /^(?:record|wire)\./
const checks = planChecks(await loadSuites(), requirements).filter(({ id }) => areas.test(id))
const half = 25_000
const deep = `${'['.repeat(half)}${'{"a":'.repeat(half)}1${'}'.repeat(half)}${']'.repeat(half)}`

const places: Readonly<Record<string, (body: string) => string>> = {
  'instead of the body': () => deep,
  'in a key of the body': (body) => body.replace(/^\{/, `{"deep":${deep},`),
  'in a record of a list': (body) => body.replace('"items":[{', `"items":[{"deep":${deep},`),
  'in the data of an error': (body) =>
    body.replace('"data":{', `"data":{"deep":${deep}${body.includes('"data":{}') ? '' : ','}`),
}

/** `npm test` has time for one of them. */
const tested = Object.entries(places).filter((_, at) => inFull || at === 2)

it.each(tested)('%s', { timeout: 300_000 }, async (_, change) => {
  let responses = 0
  // The first ones come from the smoke check, which says what it cannot read and ends the run.
  const { target, close } = await startInBetween((body) =>
    ++responses > 200 && responses % 4 === 0 ? change(body) : body,
  )
  try {
    const parts = { requirements }
    const options = { seed: 1, quick: true, runs: 0.1, timeout: 60_000 }
    const { findings, errors, ended } = await runInProcess(checks, target, parts, options)
    expect({ errors, ended }).toEqual({ errors: [], ended: undefined })
    const reported = findings.filter(({ message }) =>
      /a response has 5\d,\d{3} levels of nested JSON/.test(message),
    )
    expect(reported.length).toBeGreaterThan(3)
    for (const { status, level } of reported) expect(status).toBe(level === 'SHOULD' ? 'warn' : 'fail')
    for (const load of Object.values(reportFormats)) (await load())({ ...sampleReport(), findings })
  } finally {
    await close()
  }
})
