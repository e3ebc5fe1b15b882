/**
 * The code of a target module: a setup that creates tables and accounts, a teardown that undoes it, and hooks.
 *
 * @module
 */

import { documentPrefix } from '../../spec/prefix.ts'
import type { TableDefinition } from '../../spec/table-definition.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { ConfigurationError, messageOf } from '../errors.ts'
import type { Target } from '../vocabulary/target.ts'
import type { Hook } from './hook-server.ts'
import type { RunningServices } from './start-services.ts'
import type { TargetFile } from './target-file.ts'
import { type ProviderFacts, withProvider } from './with-provider.ts'

/** The input of a setup. */
export interface SetupInput {
  /** Without a slash at the end. */
  baseUrl: string
  /** `/api/v1`, or the prefix in the target's binding. */
  prefix: string
  /** The tables that the suites need (spec/tables.yaml), with the identity provider configured if one was started. */
  tables: TableDefinition[]
  /** Where the run listens for emails. Absent: it does not. */
  smtp?: NonNullable<RunningServices['smtp']>
  /** The identity provider that the run started. Absent: none. */
  oidc?: ProviderFacts
  /** Letters that no concurrent run against this server uses: part of every generated name. */
  run: string
  /** The letters of other runs: running ones, and killed ones that left something behind. */
  others: { readonly alive: string[]; readonly dead: string[] }
  /** A file that all runs against this server on this machine share. It may not exist. */
  sharedFile: string
  /** The run is read-only: find what exists, and change nothing. */
  readOnly: boolean
  environment: Readonly<Record<string, string | undefined>>
  /** Shows a message in the output of the run. */
  note(text: string): void
}

/** The result of a setup: parts of a target, in the format of a target file, and hooks as functions. */
export type SetupResult = Partial<
  Pick<TargetFile, 'name' | 'profile' | 'binding' | 'capabilities' | 'operations' | 'tables' | 'credentials'>
> & { hooks?: Readonly<Record<string, string | Hook>> }

export type Setup = (input: SetupInput) => Promise<SetupResult> | SetupResult
/**
 * Undoes what the setup did. Called once, also after Ctrl-C and if the result of the setup is rejected. It throws for
 * what it cannot undo.
 */
export type Teardown = (input: SetupInput, result: SetupResult) => Promise<void> | void

export interface TargetCode {
  setup?: Setup
  teardown?: Teardown
  hooks?: Readonly<Record<string, Hook>>
}

/** @throws ConfigurationError if the setup fails: nothing can be judged, and the server is not the cause */
export async function runSetup(setup: Setup, input: SetupInput, place: string): Promise<SetupResult> {
  try {
    return (await setup(input)) ?? {}
  } catch (error) {
    if (error instanceof ConfigurationError) throw error
    throw new ConfigurationError(
      `the setup failed: ${messageOf(error)}`,
      place,
      'fix the setup, or remove it and set tables and credentials in the target file',
    )
  }
}

/** The part of the setup's input about the services of a run. */
export function setupInput(
  target: Target,
  { smtp, provider }: Pick<RunningServices, 'smtp' | 'provider'>,
  rest: Pick<SetupInput, 'run' | 'others' | 'sharedFile' | 'readOnly' | 'environment' | 'note'>,
): SetupInput {
  const tables = tableDefinitions()
  return {
    baseUrl: target.baseUrl,
    prefix: target.binding.prefix ?? documentPrefix,
    tables: provider === undefined ? tables : withProvider(tables, provider),
    smtp,
    oidc: provider,
    ...rest,
  }
}
