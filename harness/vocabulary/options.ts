/**
 * The options of a run that each part needs, as types.
 *
 * @module
 */

import type { RunOptions } from '../generated/run-options.ts'
import type { SessionOptionName } from '../run-options.ts'

/** Environment variables, by name. */
export type ProcessEnvironment = Readonly<Record<string, string | undefined>>

/** What the target is. */
export type TargetOptions = Pick<
  RunOptions,
  'baseUrl' | 'target' | 'profile' | 'prefix' | 'table' | 'readOnly' | 'namespace' | 'allowRemoteWrites'
>

/** Which requirements are checked. */
export type Selection = Pick<RunOptions, 'only' | 'skip' | 'level'>

/** How requests are sent. */
export type SendingOptions = Pick<RunOptions, 'timeout' | 'rate' | 'concurrency'>

export interface SessionOptions extends Pick<RunOptions, SessionOptionName> {
  seed: number
  /** String that keeps this run's data apart from other runs'. @default derived from the seed */
  namespace?: string
  /** Disables shrinking: the first counterexample is reported. For the fault matrix. */
  quick?: boolean
  /** Milliseconds for one check. @default 120000 */
  checkTimeout?: number
  /** File that records everything created, so that the next run can delete it if this one is killed. */
  journal?: string
  /**
   * The target lives only as long as the run, and no one else uses it: whatever a create names is this run's.
   * @default false
   */
  exclusive?: boolean
  /** The options that name the target, for the command that replays a finding. @default '' */
  invocation?: string
  /** `NODE_EXTRA_CA_CERTS`, if the target needs it: without it neither curl nor a replay trusts the target. */
  caFile?: string
}
