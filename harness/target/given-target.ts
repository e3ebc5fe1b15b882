/**
 * A target that was given, by its address or by a file: read, completed from the environment, and made ready.
 *
 * @module
 */

import { join } from 'node:path'
import { standardBinding } from '../../spec/gaps.ts'
import { ConfigurationError } from '../errors.ts'
import {
  fileStem,
  journalsOf,
  openEntries,
  openJournal,
  removeJournal,
  stateFolder,
} from '../ledger/journal.ts'
import { lettersOf } from '../seed.ts'
import type { Credential, Target } from '../vocabulary/target.ts'
import { checkedUrl, isLoopback } from './base-url.ts'
import { type Claim, claiming, claimOf } from './claim.ts'
import { type Hook, serveHooks } from './hook-server.ts'
import { hooksOf, type LoadedTarget, loadTarget } from './load-target.ts'
import { startServices } from './services.ts'
import { runSetup, type SetupResult, setupInput } from './setup.ts'
import type { PreparedTarget, TargetOptions } from './target.ts'
import { checkedToken, targetOf } from './target-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/**
 * @param claim of the options; it wins over the file's
 * @throws ConfigurationError
 */
export async function prepareGiven(
  options: TargetOptions,
  seed: number,
  environment: Environment,
  claim: Claim | undefined,
): Promise<PreparedTarget> {
  const given = await givenTarget(options, environment)
  const target = await claiming(withEnvironment(given.target, environment), claim, given.place)
  refuseRemoteWrites(target, options)
  return equip({ ...given, target }, options, seed, environment)
}

/** Starts the services, opens the journal and runs the setup of a target; `close` undoes it in reverse. */
async function equip(
  { target, code, place }: LoadedTarget,
  { readOnly = false, namespace }: TargetOptions,
  seed: number,
  environment: Environment,
): Promise<PreparedTarget> {
  const notes: string[] = []
  const ownHooks = code.hooks ?? {}
  const needed = target.services !== undefined || code.setup !== undefined || Object.keys(ownHooks).length > 0
  const folder = stateFolder(environment)
  const before = journalsOf(target.baseUrl, folder)
  const journal = readOnly ? undefined : openJournal(target.baseUrl, seed, namespace, folder)
  const run = journal?.namespace ?? namespace ?? lettersOf(5, seed)
  const facts = {
    embedded: false,
    notes,
    namespace: run,
    ...(journal === undefined ? {} : { journal: journal.file }),
  }
  const endJournal = () => {
    if (journal !== undefined && openEntries(journal.file) === 0) removeJournal(journal.file)
  }
  if (!needed) return { ...facts, target, close: async () => endJournal() }
  let setUp: SetupResult = {}
  const late: Record<string, Hook> = {}
  const services = await startServices(target.services ?? {}, ownHooks)
  const undo = async () => {
    await services.close()
    endJournal()
  }
  try {
    if (code.setup === undefined) return { ...facts, target: withHooks(target, services.hooks), close: undo }
    const input = setupInput(target, services, {
      run,
      others: {
        // Asked anew each time: of two runs that begin at once, neither is there before the other.
        get alive() {
          const alive = journalsOf(target.baseUrl, folder).filter((each) => each.alive)
          return alive.map(({ namespace }) => namespace).filter((each) => each !== run)
        },
        dead: before.filter(({ alive }) => !alive).map((each) => each.namespace),
      },
      sharedFile: join(folder, `${fileStem(target.baseUrl)}.shared.json`),
      readOnly,
      environment,
      note: (text) => notes.push(text),
    })
    setUp = await runSetup(code.setup, input, place)
    const [functions, addresses] = hooksOf(setUp.hooks)
    Object.assign(late, functions)
    const hookServer = Object.keys(late).length === 0 ? undefined : await serveHooks(late)
    const { hooks: _hooks, ...parts } = setUp
    const file = { baseUrl: target.baseUrl, ...parts }
    const made = targetOf(file, `${place}, setup`, environment)
    const claim =
      made.profile === undefined || target.profile !== undefined
        ? {}
        : await claimOf(made.profile, `${place}, setup, profile`)
    return {
      ...facts,
      target: withHooks(
        {
          ...target,
          ...(made.name === undefined ? {} : { name: made.name }),
          ...claim,
          binding: { ...target.binding, ...claim.binding, ...parts.binding },
          capabilities: { ...made.capabilities, ...target.capabilities },
          tables: { ...made.tables, ...target.tables },
          credentials: { ...made.credentials, ...target.credentials },
        },
        { ...services.hooks, ...hookServer?.hooks, ...addresses },
      ),
      async close() {
        try {
          await code.teardown?.(input, setUp)
        } finally {
          await hookServer?.close()
          await undo()
        }
      },
    }
  } catch (error) {
    await undo()
    throw error
  }
}

function withHooks(target: Target, hooks: Readonly<Record<string, string>>): Target {
  return { ...target, hooks: { ...hooks, ...target.hooks } }
}

async function givenTarget(
  { baseUrl, target, prefix }: TargetOptions,
  environment: Environment,
): Promise<LoadedTarget> {
  const url = baseUrl === undefined ? undefined : checkedUrl(baseUrl, '--base-url')
  const over = url === undefined ? {} : { baseUrl: url }
  const loaded: LoadedTarget =
    typeof target === 'string'
      ? await loadTarget(target, environment, over)
      : target !== undefined
        ? {
            target: { ...target, baseUrl: url ?? checkedUrl(target.baseUrl, 'the target, baseUrl') },
            code: {},
            place: 'the target',
          }
        : { target: bareTarget(checkedUrl(baseUrl ?? '', '--base-url')), code: {}, place: '--base-url' }
  if (prefix === undefined) return loaded
  return { ...loaded, target: { ...loaded.target, binding: { ...loaded.target.binding, prefix } } }
}

/** Nothing is known but where it is. */
function bareTarget(baseUrl: string): Target {
  return { baseUrl, binding: standardBinding(), capabilities: {}, tables: {}, credentials: {} }
}

/** Secrets of the environment fill in, and win over, those of the file. */
function withEnvironment(target: Target, environment: Environment): Target {
  const {
    CONFORMANCE_SUPERUSER_TOKEN: token,
    CONFORMANCE_SUPERUSER_IDENTITY: identity,
    CONFORMANCE_SUPERUSER_PASSWORD: password,
  } = environment
  let superuser: Credential | undefined
  if (token) superuser = { token: checkedToken(token, 'CONFORMANCE_SUPERUSER_TOKEN') }
  else if (identity && password) superuser = { signIn: { table: '_superusers', identity, password } }
  else if (identity || password) {
    throw new ConfigurationError(
      'identity and password of the superuser belong together, and only one is set',
      identity ? 'CONFORMANCE_SUPERUSER_IDENTITY' : 'CONFORMANCE_SUPERUSER_PASSWORD',
      `set ${identity ? 'CONFORMANCE_SUPERUSER_PASSWORD' : 'CONFORMANCE_SUPERUSER_IDENTITY'} too`,
    )
  }
  return superuser === undefined ? target : { ...target, credentials: { ...target.credentials, superuser } }
}

function refuseRemoteWrites({ baseUrl }: Target, { readOnly, allowRemoteWrites }: TargetOptions): void {
  if (readOnly === true || allowRemoteWrites === true || isLoopback(new URL(baseUrl).hostname)) return
  throw new ConfigurationError(
    'the target is not on this machine, and the run would create and delete records there',
    baseUrl,
    'add --allow-remote-writes if that is wanted, or --read-only',
  )
}
