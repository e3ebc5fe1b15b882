/**
 * What a target may bring in code: a setup that makes tables and accounts, a teardown that undoes it, and hooks.
 *
 * @module
 */

import type { TableDefinition } from '../../spec/table-definition.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { ConfigurationError, messageOf } from '../errors.ts'
import type { Target } from '../vocabulary/target.ts'
import type { Hook } from './hook-server.ts'
import type { RunningServices } from './start-services.ts'
import type { TargetFile } from './target-file.ts'
import { type ProviderFacts, withProvider } from './with-provider.ts'

/** What a setup is told. */
export interface SetupInput {
  /** Without a slash at the end. */
  baseUrl: string
  /** `/api/v1`, or what the target's binding says. */
  prefix: string
  /** The tables that the suites need (spec/tables.yaml), with the identity provider filled in where one was started. */
  tables: TableDefinition[]
  /** Where the run listens for mails. Absent: it does not. */
  smtp?: NonNullable<RunningServices['smtp']>
  /** The identity provider that the run started. Absent: none. */
  oidc?: ProviderFacts
  /** Letters that no other run against this server uses at the same time: part of every name that is made. */
  run: string
  /** The letters of other runs: those that go on now, and those that were killed and left something behind. */
  others: { readonly alive: string[]; readonly dead: string[] }
  /** A file that all runs against this server on this machine share; it need not exist. */
  sharedFile: string
  /** The run may not write: find what is there, and change nothing. */
  readOnly: boolean
  environment: Readonly<Record<string, string | undefined>>
  /** Told to whoever reads the run. */
  note(text: string): void
}

/** What a setup gives: parts of a target, in the form of a target file, and hooks as functions. */
export type SetupResult = Partial<
  Pick<TargetFile, 'name' | 'profile' | 'binding' | 'capabilities' | 'operations' | 'tables' | 'credentials'>
> & { hooks?: Readonly<Record<string, string | Hook>> }

export type Setup = (input: SetupInput) => Promise<SetupResult> | SetupResult
/**
 * Undoes what the setup did. Called once, also after Ctrl-C and where the result of the setup is refused; what it cannot
 * undo it throws.
 */
export type Teardown = (input: SetupInput, result: SetupResult) => Promise<void> | void

export interface TargetCode {
  setup?: Setup
  teardown?: Teardown
  hooks?: Readonly<Record<string, Hook>>
}

/** @throws ConfigurationError when the setup fails: nothing could be judged, and the server is not at fault */
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

/** What a setup is told of the services of a run. */
export function setupInput(
  target: Target,
  { smtp, provider }: Pick<RunningServices, 'smtp' | 'provider'>,
  rest: Pick<SetupInput, 'run' | 'others' | 'sharedFile' | 'readOnly' | 'environment' | 'note'>,
): SetupInput {
  const tables = tableDefinitions()
  return {
    baseUrl: target.baseUrl,
    prefix: target.binding.prefix ?? '/api/v1',
    tables: provider === undefined ? tables : withProvider(tables, provider),
    smtp,
    oidc: provider,
    ...rest,
  }
}
