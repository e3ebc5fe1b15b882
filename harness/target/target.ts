/**
 * From options, file and environment to the target of a run.
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
import { checkedUrl } from './base-url.ts'
import { claiming, claimOf } from './claim.ts'
import { startEmbeddedThread } from './embedded-thread.ts'
import { type Hook, serveHooks } from './hook-server.ts'
import { hooksOf, type LoadedTarget, loadTarget } from './load-target.ts'
import { startServices } from './services.ts'
import { runSetup, type SetupResult, setupInput } from './setup.ts'
import { checkedToken, targetOf } from './target-file.ts'

export interface TargetOptions {
  baseUrl?: string
  /** Path of a target file or module, the name of a shipped target, or a target ready for use. */
  target?: string | Target
  /** Profile that the target claims; `none` for none. */
  profile?: string
  prefix?: string
  readOnly?: boolean
  /** Letters for the names of what the run makes. @default of the seed */
  namespace?: string
  allowRemoteWrites?: boolean
}

export interface PreparedTarget {
  target: Target
  /** Once more the same, and as fresh: of the embedded reference, where two were wanted. */
  twin?: Target
  embedded: boolean
  /** What whoever reads the run should know of its setup. */
  notes: readonly string[]
  /** Letters that no other run against the target has at the same time. */
  namespace?: string
  /** Where the run notes what it creates. */
  journal?: string
  /** Undoes the setup and stops the services. @throws what the teardown throws */
  close(): Promise<void>
}

export interface Preparation {
  /** @default that of the process */
  environment?: Readonly<Record<string, string | undefined>>
  /** Whether the embedded reference is wanted twice. @default false */
  twin?: boolean
}

/**
 * The target, ready to be asked: a file, a URL, or the embedded reference when neither is given.
 *
 * @throws ConfigurationError
 */
export async function prepareTarget(
  options: TargetOptions,
  seed: number,
  { environment = process.env, twin = false }: Preparation = {},
): Promise<PreparedTarget> {
  const claim =
    options.profile === undefined ? undefined : claimOf(options.profile, `--profile ${options.profile}`)
  const given = await givenTarget(options, environment)
  if (given === undefined) {
    const { prefix } = options
    const own = { seed, ...(prefix === undefined ? {} : { prefix }) }
    const starting = [startEmbeddedThread(own), twin ? startEmbeddedThread(own) : undefined] as const
    const [first, second] = await Promise.all(starting).catch(async (error: unknown) => {
      for (const each of await Promise.allSettled(starting))
        if (each.status === 'fulfilled') await each.value?.close()
      throw error
    })
    return {
      target: claiming(first.target, claim, 'the reference'),
      ...(second === undefined ? {} : { twin: claiming(second.target, claim, 'the reference') }),
      embedded: true,
      notes: [],
      async close() {
        await Promise.all([first.close(), second?.close()])
      },
    }
  }
  const target = claiming(withEnvironment(given.target, environment), claim, given.place)
  refuseRemoteWrites(target, options)
  return equip({ ...given, target }, options, seed, environment)
}

/** Starts the services, opens the journal and runs the setup of a target; `close` undoes it in reverse. */
async function equip(
  { target, code, place }: LoadedTarget,
  { readOnly = false, namespace }: TargetOptions,
  seed: number,
  environment: Readonly<Record<string, string | undefined>>,
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
        : claimOf(made.profile, `${place}, setup, profile`)
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
  environment: Readonly<Record<string, string | undefined>>,
): Promise<LoadedTarget | undefined> {
  const url = baseUrl === undefined ? undefined : checkedUrl(baseUrl, '--base-url')
  const over = url === undefined ? {} : { baseUrl: url }
  const loaded =
    typeof target === 'string'
      ? await loadTarget(target, environment, over)
      : target !== undefined
        ? {
            target: { ...target, baseUrl: url ?? checkedUrl(target.baseUrl, 'the target, baseUrl') },
            code: {},
            place: 'the target',
          }
        : url === undefined
          ? undefined
          : { target: bareTarget(url), code: {}, place: '--base-url' }
  if (loaded === undefined || prefix === undefined) return loaded
  return { ...loaded, target: { ...loaded.target, binding: { ...loaded.target.binding, prefix } } }
}

/** Nothing is known but where it is. */
function bareTarget(baseUrl: string): Target {
  return { baseUrl, binding: standardBinding(), capabilities: {}, tables: {}, credentials: {} }
}

/** Secrets of the environment fill in, and win over, those of the file. */
function withEnvironment(target: Target, environment: Readonly<Record<string, string | undefined>>): Target {
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

/** Names and addresses of this very machine. */
export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase()
  return (
    bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare)
  )
}
