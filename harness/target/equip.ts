/**
 * What a target needs for a run in addition to the server: the journal, the services, and what its setup creates.
 *
 * @module
 */

import { join } from 'node:path'
import {
  endJournal,
  fileStem,
  type JournalFile,
  journalsOf,
  openJournal,
  stateFolder,
} from '../cleanup/journal.ts'
import { ConfigurationError, messageOf } from '../errors.ts'
import { idCharacters } from '../support/hash.ts'
import type { ProcessEnvironment, TargetOptions } from '../vocabulary/options.ts'
import type { PreparedTarget, Target } from '../vocabulary/target.ts'
import { hooksIn } from './call-hook.ts'
import { claimOf } from './claim.ts'
import { hooksOf, serveHooks } from './hook-server.ts'
import type { LoadedTarget } from './load-target.ts'
import { runSetup, type SetupInput, type SetupResult, setupInput } from './setup.ts'
import { type RunningServices, startServices } from './start-services.ts'
import { type UndoStack, undoStack } from './undo-stack.ts'

/** The input of a setup, except the services. */
type Circumstances = Parameters<typeof setupInput>[2]

/**
 * Opens the journal, starts the services and runs the setup of a target. `close` undoes it in reverse order, and so
 * does a failure on the way.
 *
 * @throws ConfigurationError why the run cannot begin, and what could not be undone
 */
export async function equip(
  loaded: LoadedTarget,
  { readOnly = false, namespace: wanted }: TargetOptions,
  seed: number,
  environment: ProcessEnvironment,
): Promise<PreparedTarget> {
  const undo = undoStack()
  const notes: string[] = []
  const { target, code } = loaded
  try {
    const folder = stateFolder(environment)
    const dead = deadRuns(target.baseUrl, folder)
    const { journal, noJournal } = readOnly ? {} : keptJournal(target.baseUrl, seed, wanted, folder, undo)
    if (noJournal !== undefined) notes.push(noJournal)
    const namespace = journal?.namespace ?? wanted ?? idCharacters(5, seed)
    const services = await startServices(target.services ?? {}, code.hooks)
    undo.push(() => services.close())
    const circumstances: Circumstances = {
      run: namespace,
      others: othersOf(target.baseUrl, folder, namespace, dead),
      sharedFile: join(folder, `${fileStem(target.baseUrl)}.shared.json`),
      readOnly,
      environment,
      note: (text) => notes.push(text),
    }
    return {
      embedded: false,
      notes,
      namespace,
      journal: journal?.file,
      ...(noJournal !== undefined && { noJournal }),
      target: await setUpTarget(loaded, services, circumstances, undo),
      close: () => undo.run(),
    }
  } catch (error) {
    throw await undo.run().then(
      () => error,
      (left: unknown) => withUndoError(error, left),
    )
  }
}

function deadRuns(baseUrl: string, folder: string): string[] {
  return journalsOf(baseUrl, folder)
    .filter(({ alive }) => !alive)
    .map(({ namespace }) => namespace)
}

/** A journal that is kept only if something is left on the server, or why there is none. */
function keptJournal(
  baseUrl: string,
  seed: number,
  wanted: string | undefined,
  folder: string,
  undo: UndoStack,
): { journal?: JournalFile; noJournal?: string } {
  try {
    const journal = openJournal(baseUrl, seed, wanted, folder)
    undo.push(() => endJournal(journal.file))
    return { journal }
  } catch (error) {
    // The usual case: a container whose user is no one's, and may write to nothing but a few folders.
    return {
      noJournal: `no journal could be written (${messageOf(error)}), so no later run knows what this one leaves: set CONFORMANCE_STATE_DIR to a writable folder`,
    }
  }
}

function othersOf(baseUrl: string, folder: string, own: string, dead: string[]): SetupInput['others'] {
  return {
    // Read again each time: of two runs that start at the same time, neither is first.
    get alive() {
      const alive = journalsOf(baseUrl, folder).filter((each) => each.alive)
      return alive.map(({ namespace }) => namespace).filter((each) => each !== own)
    },
    dead,
  }
}

async function setUpTarget(
  { target, code, place }: LoadedTarget,
  services: RunningServices,
  circumstances: Circumstances,
  undo: UndoStack,
): Promise<Target> {
  if (code.setup === undefined) return withHooks(target, services.hooks)
  const input = setupInput(target, services, circumstances)
  const made = await runSetup(code.setup, input, place)
  undo.push(() => code.teardown?.(input, made))
  const [functions, addresses] = hooksOf(made.hooks)
  const whole = await completed(target, made, addresses, `${place}, setup`, circumstances.environment)
  const served = await serveHooks(functions)
  undo.push(() => served.close())
  return withHooks(whole, { ...services.hooks, ...served.hooks, ...hooksIn(place, addresses) })
}

/** The target file takes precedence over the result of its setup, except for the name and the binding. */
async function completed(
  target: Target,
  { hooks: _hooks, ...parts }: SetupResult,
  hooks: Readonly<Record<string, string>>,
  place: string,
  environment: ProcessEnvironment,
): Promise<Target> {
  const { targetOf } = await import('./target-file.ts')
  const made = targetOf({ baseUrl: target.baseUrl, ...parts, hooks }, place, environment)
  const claim =
    made.profile === undefined || target.profile !== undefined
      ? {}
      : await claimOf(made.profile, `${place}, profile`)
  return {
    ...target,
    name: made.name ?? target.name,
    ...claim,
    binding: { ...target.binding, ...claim.binding, ...parts.binding },
    ...(made.named !== undefined && { named: [...(target.named ?? []), ...made.named] }),
    capabilities: { ...made.capabilities, ...target.capabilities },
    notApplicable: { ...made.notApplicable, ...target.notApplicable },
    operations: { ...made.operations, ...target.operations },
    tables: { ...madeTables(made.tables), ...target.tables },
    credentials: { ...made.credentials, ...target.credentials },
  }
}

/** A setup makes its tables by the definitions that it is given, unless it maps their fields. */
function madeTables(tables: Target['tables']): Target['tables'] {
  return Object.fromEntries(
    Object.entries(tables).map(([role, table]) => {
      const { existing: _, ...made } = table
      return [role, table.fields === undefined ? made : table]
    }),
  )
}

function withHooks(target: Target, hooks: Readonly<Record<string, string>>): Target {
  return { ...target, hooks: { ...hooks, ...target.hooks } }
}

/** The reason why the run cannot begin comes first: it is often the cause of the other. */
function withUndoError(error: unknown, left: unknown): Error {
  const fact = `${factOf(error)}; in addition, not everything could be undone: ${factOf(left)}`
  if (error instanceof ConfigurationError) return new ConfigurationError(fact, error.place, error.next)
  return new Error(fact, { cause: error })
}

function factOf(error: unknown): string {
  if (error instanceof ConfigurationError) return error.fact
  return messageOf(error)
}
