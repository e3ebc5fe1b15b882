/**
 * What can be found out about a target before the checks: whether it responds, which credentials work, which capabilities
 * are claimed and which were found, whether its clock is right, whether email and identity provider work, and what each
 * missing line would enable.
 *
 * @module
 */

import { randomInt } from 'node:crypto'
import { loadRequirements } from '../../spec/requirements.ts'
import { cleanEnd } from '../cleanup/clean-end.ts'
import { recoverLeftovers } from '../cleanup/recover-leftovers.ts'
import { ConfigurationError } from '../errors.ts'
import { exploredTarget } from '../explore/explored-target.ts'
import { otherNames, otherNamesNote } from '../explore/other-names.ts'
import { gate } from '../judging/gate.ts'
import { sessionOptionsOf } from '../run-options.ts'
import { createSession } from '../session/create-session.ts'
import { smokeCheck } from '../smoke/smoke.ts'
import type { SendingOptions, SessionOptions, TargetOptions } from '../vocabulary/options.ts'
import type { Smoke } from '../vocabulary/report.ts'
import type { CleanUp } from '../vocabulary/session.ts'
import type { PreparedTarget } from '../vocabulary/target.ts'
import type { Wire } from '../vocabulary/wire.ts'
import { RequestCount } from '../wire/request-count.ts'
import { callHook, isModule, loadHooks, probeHook } from './call-hook.ts'
import { prepareTarget } from './prepare-target.ts'
import { tryServices } from './try-services.ts'

export interface Diagnosis {
  /** A heading, then facts, one a line. `sound` is false if the tester has something to correct. */
  sections: { title: string; facts: { text: string; sound: boolean }[] }[]
  smoke: Smoke
  /** Checks that can be judged, and all. */
  runnable: number
  checks: number
}

export interface DiagnosisOptions {
  /** Whether later runs neither list nor try to delete what earlier runs left behind. @default false */
  forget?: boolean
  /** Called with the next step. */
  onStep?: (step: string) => void
}

/** Runs setup, smoke check and teardown; judges nothing. @throws ConfigurationError as a run would */
export async function diagnose({
  forget,
  onStep = () => {},
  ...options
}: TargetOptions & SendingOptions & Pick<SessionOptions, 'headers'> & DiagnosisOptions): Promise<Diagnosis> {
  const seed = randomInt(0, 2 ** 31)
  const requirements = loadRequirements()
  const prepared = await prepareTarget(options, seed)
  const { namespace, journal } = prepared
  const settings = { ...sessionOptionsOf(options), seed, namespace, journal }
  onStep('exploring the server')
  const count = new RequestCount()
  const begin = performance.now()
  const explored = await loadHooks(prepared.target)
    .then(() => exploredTarget(prepared.target, settings, count))
    .catch(async (error: unknown) => {
      await prepared.close()
      throw error
    })
  const session = createSession(explored.target, { requirements, count }, settings)
  try {
    onStep('looking at what the server can do')
    // As a run does: where only the address is known, a record shows which role a table fits.
    const creates = session.target.explored !== undefined
    const smoke = await smokeCheck(session, { creates })
    if (creates) await cleanEnd(session)
    const ms = Math.round(performance.now() - begin)
    onStep('deleting what earlier runs left behind')
    const recovered = await recoverLeftovers(session, { forget })
    const { journalError } = session.cleanup
    const notes = [
      ...prepared.notes.map((text) => fact(text, text !== prepared.noJournal)),
      ...[...explored.notes, ...smoke.notes].map((text) => fact(text, isAsExpected(text))),
      ...recovered.map((text) => fact(text, session.cleanup.leftovers.all.length === 0)),
      ...(journalError === undefined
        ? []
        : [
            fact(
              `the journal is incomplete (${journalError}): the next run may not find everything that this one left`,
              false,
            ),
          ]),
    ]
    onStep('trying credentials, hooks and services')
    const names = await otherNames(session, explored.discovery)
    const runnable = [...requirements.values()].filter((each) => gate(each, session) === undefined).length
    return {
      smoke,
      runnable,
      checks: requirements.size,
      sections: [
        { title: 'target', facts: [...(await reachable(session, ms)), ...notes] },
        ...leftBehind(session, forget === true),
        { title: 'credentials', facts: await credentials(session) },
        { title: 'tables', facts: tableFacts(smoke) },
        { title: 'capabilities', facts: capabilityFacts(prepared, smoke) },
        ...(names.length === 0
          ? []
          : [{ title: 'names of fields', facts: names.map((each) => fact(otherNamesNote(each), false)) }]),
        {
          title: 'hooks and services',
          facts: [...(await hookFacts(session)), ...(await tryServices(session))],
        },
      ],
    }
  } finally {
    await session.close()
    await prepared.close()
  }
}

/** Of what a look at a target says: which tables there are, and what may be done with them. Anything else needs attention. */
function isAsExpected(note: string): boolean {
  if (/^(found the tables|uses|the path prefix is) /.test(note)) return true
  return /^guests may sign up in [^;]*; an account may view, update and delete itself$|may list, create, view, update and delete records of /.test(
    note,
  )
}

function fact(text: string, sound = true): { text: string; sound: boolean } {
  return { text, sound }
}

async function reachable(session: Wire, ms: number) {
  const { baseUrl, binding, profile } = session.target
  const response = await session.api('guest').raw({ method: 'GET', path: `${binding.prefix ?? ''}/` })
  const date = Date.parse(response.headers.date ?? '')
  const skew = Number.isNaN(date) ? undefined : Math.round((date - Date.now()) / 1000)
  return [
    fact(`${baseUrl}${binding.prefix ?? ''} responds (${session.count.requests} requests in ${ms} ms)`),
    skew === undefined
      ? fact('it sends no Date header: its clock cannot be compared')
      : fact(
          Math.abs(skew) <= 2
            ? 'its clock matches this machine’s'
            : `its clock is ${Math.abs(skew)} s ${skew > 0 ? 'ahead of' : 'behind'} this machine’s`,
          Math.abs(skew) <= 60,
        ),
    fact(
      profile === undefined
        ? 'it claims no profile: behavior that the document does not specify is only observed'
        : `it claims the profile ${profile}`,
    ),
  ]
}

/** Records left behind that are listed: a server that was restarted with an empty store lacks all of them. */
const mostLeftovers = 20

/** What earlier runs created, and could not be deleted now, either. */
function leftBehind({ cleanup }: CleanUp, forget: boolean): Diagnosis['sections'] {
  const leftovers = cleanup.leftovers.all
  if (leftovers.length === 0) return []
  const next = forget ? 'forgotten: no later run lists them' : 'to stop listing them, add --forget'
  const facts = leftovers
    .slice(0, mostLeftovers)
    .map(({ table, id, reason }) => fact(`${table}/${id}: ${reason}`, false))
  if (leftovers.length > facts.length) facts.push(fact(`and ${leftovers.length - facts.length} more`, false))
  return [{ title: 'left behind by earlier runs', facts: [...facts, fact(next, forget)] }]
}

async function credentials(session: Wire) {
  const names = Object.keys(session.target.credentials)
  if (names.length === 0) return [fact('none: all requests are sent as a guest', false)]
  const facts = []
  for (const name of names) {
    try {
      await session.actors.token(name)
      facts.push(
        fact(`${name} ${session.target.credentials[name]?.token === undefined ? 'signs in' : 'has a token'}`),
      )
    } catch (error) {
      const text = error instanceof ConfigurationError ? error.fact : String(error)
      facts.push(fact(`${name}: ${text}`, false))
    }
  }
  return facts
}

function tableFacts({ tables, missingTables }: Smoke) {
  const named = Object.entries(tables)
  return [
    ...(named.length === 0
      ? []
      : [fact(`there: ${named.map(([role, how]) => `${role} (${how})`).join(', ')}`)]),
    ...(missingTables.length === 0 ? [] : [fact(`missing: ${missingTables.join(', ')}`, false)]),
  ]
}

function capabilityFacts({ target }: PreparedTarget, { capabilities }: Smoke) {
  const names = [...new Set([...Object.keys(target.capabilities), ...Object.keys(capabilities)])].sort()
  if (names.length === 0) return [fact('none declared, and none found')]
  return names.map((name) => {
    const how = target.capabilities[name] === undefined ? 'found' : 'claimed'
    // Only the batch of a guest was tried.
    const no = name === 'batch' && how === 'found' ? 'not for guests' : 'no'
    return fact(`${name}: ${capabilities[name] === true ? 'yes' : no}, ${how}`)
  })
}

/** Calls each hook with minimal input, and connects to each service. */
async function hookFacts(session: Wire) {
  const { hooks = {} } = session.target
  const probes: Record<string, () => Promise<unknown>> = {
    mailbox: () => callHook(session.target, 'mailbox', { to: '', after: 0, wait: 0 }),
    deleteRecords: () => callHook(session.target, 'deleteRecords', { records: [] }),
  }
  const facts = []
  for (const name of Object.keys(hooks).sort()) {
    const [place = '', probe] = [hooks[name], probes[name]]
    try {
      await (probe?.() ?? probeHook(place))
      const sound = probe === undefined && isModule(place) ? 'is loaded' : 'responds'
      const later = name === 'restart' ? '; it is called once, if the server crashes' : ''
      facts.push(fact(`${name} ${sound}${later}`))
    } catch (error) {
      facts.push(fact(`${name}: ${error instanceof ConfigurationError ? error.fact : String(error)}`, false))
    }
  }
  return facts.length === 0 ? [fact('none', false)] : facts
}
