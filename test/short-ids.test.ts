/**
 * Nothing is left on a server whose ids are short enough to be given again. Only its values show whose such a record is,
 * so a check must leave a value of the run in it, or one that its update is known to have written.
 */

import { afterEach, beforeEach, expect, it } from 'vitest'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import type { Target } from '../harness/vocabulary/target.ts'
import { exchangeInProcess } from '../proofs/faults/matrix/exchange-in-process.ts'
import { type FaultyServer, startFaultyServer } from '../proofs/faults/matrix/faulty-server.ts'
import { withIds } from '../proofs/variations/combinators/other-ids.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { loadRequirements } from '../spec/requirements.ts'

/** Those that update records in other ways than one request each; `npm run test:full` runs all checks. */
const some = ['batch.url-forms', 'batch.inner-status', 'update.applies']

let server: FaultyServer
beforeEach(async () => {
  server = await startFaultyServer(1)
})
afterEach(() => server.close())

/** Tables whose records anyone may delete. */
const open = ['conf_plain', 'conf_related', 'conf_members']

function addressAlone({ hooks: _hooks, services: _services, ...target }: Target): Target {
  return { ...target, credentials: {} }
}

async function runOf(target: Target, options: { only?: string[]; runs: number }) {
  const requirements = loadRequirements()
  const { only, runs } = options
  const run = await runInProcess(
    planChecks(await loadSuites(), requirements, only === undefined ? {} : { only }),
    { ...target, mail: { ...target.mail, quiet: 50, patience: 1_000 } },
    { requirements, exchange: exchangeInProcess(server.fetch) },
    { seed: 7, quick: true, runs },
  )
  expect(run.errors).toEqual([])
  return run
}

it.each([
  ['with a superuser', true],
  ['with the address alone', false],
])('nothing is left where ids are whole numbers, %s', { timeout: 600_000 }, async (_, aided) => {
  await server.use({ make: withIds({ make: String }) })
  const target = aided ? server.target : addressAlone(server.target)
  const { session } = await runOf(target, { runs: 0.1, ...(!inFull && { only: some }) })
  const left = session.cleanup.leftovers.all.filter(({ table }) => aided || open.includes(table))
  expect(left.map(({ table, id, reason }) => `${table}/${id}: ${reason}`)).toEqual([])
})

type Fields = Readonly<Record<string, unknown>>

interface Decisions {
  /** What the server takes of the fields that it is sent; undefined if it rejects them. @default all */
  takes?(fields: Fields): Fields | undefined
  /** How it shows the JSON text of a response. @default as it is */
  shows?(text: string): string
}

/** A server whose ids are whole numbers, and which decides about the table with all field types in its own way. */
function countingWith({ takes = (fields) => fields, shows = (text) => text }: Decisions) {
  const withNumbers = withIds({ make: String })
  return (...given: Parameters<typeof withNumbers>): ReturnType<typeof withNumbers> => {
    const counting = withNumbers(...given)
    return async (request, next) => {
      if (!new URL(request.url).pathname.includes('/conf_everything/')) return counting(request, next)
      const isJson = request.headers.get('content-type')?.startsWith('application/json') === true
      const taken = isJson ? takes((await request.clone().json()) as Fields) : undefined
      if (isJson && taken === undefined)
        return Response.json({ message: 'This form is not known.' }, { status: 400 })
      const sent = isJson ? new Request(request, { body: JSON.stringify(taken) }) : request
      const response = await counting(sent, next)
      return response.ok && response.status !== 204
        ? new Response(shows(await response.text()), response)
        : response
    }
  }
}

const unknownForms = ['geo', 'password', 'select']

const decisions: [string, Decisions][] = [
  [
    'takes some types in another form',
    { takes: (fields) => (unknownForms.some((field) => field in fields) ? undefined : fields) },
  ],
  ['shows dates without a time', { shows: (text) => text.replace(/("date":"\d{4}-\d\d-\d\d) [^"]*/g, '$1') }],
]
it.each(decisions)(
  'no check overwrites what proves its record where a server %s',
  { timeout: 120_000 },
  async (_, decision) => {
    await server.use({ make: countingWith(decision) })
    const only = ['field-types.keep-values', 'update.changes-only-sent']
    const { findings, session } = await runOf(server.target, { only, runs: 1 })
    expect(findings).toMatchObject([{ status: 'pass' }, { status: 'pass' }])
    expect(session.cleanup.leftovers.all).toEqual([])
    expect(session.ownership.foreign).toEqual([])
  },
)

it('a server that loses the last field of a record fails', { timeout: 120_000 }, async () => {
  const takes = (fields: Fields) => {
    const all = Object.entries(fields)
    return Object.fromEntries(all.length > 3 ? all.slice(0, -1) : all)
  }
  await server.use({ make: countingWith({ takes }) })
  const { findings, session } = await runOf(server.target, { only: ['field-types.keep-values'], runs: 1 })
  expect(findings).toMatchObject([{ status: 'fail' }])
  expect(session.ownership.foreign).toEqual([])
})
