/**
 * How a run communicates with its target, and what it records, as types.
 *
 * @module
 */

import type { Redactor } from '../../exchange/secrets/redactor.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { Evidence } from '../judging/evidence-limits.ts'
import type { ProofBook } from '../services/proof-book.ts'
import type { Actors } from '../session/actors.ts'
import type { ConnectionLog } from '../wire/connection-log.ts'
import type { Overlap } from '../wire/overlap.ts'
import type { Recorder } from '../wire/recorder.ts'
import type { RequestCount } from '../wire/request-count.ts'
import type { RunCoverage } from '../wire/run-coverage.ts'
import type { TrafficLog } from '../wire/traffic.ts'
import type { Transport } from '../wire/transport.ts'
import type { Api } from './api.ts'
import type { Target } from './target.ts'

export interface Wire {
  /** Tables, and of an explored target the binding, are completed by the smoke check. */
  target: Target
  readonly binding: Binding
  /** `options.headers` with the values of the variables that they name. */
  readonly configuredHeaders: Readonly<Record<string, string>>
  readonly redactor: Redactor
  readonly recorder: Recorder
  /** What it has sent so far. The recorder has only the requests of the checks and the clean-up. */
  readonly count: RequestCount
  /** The remaining budget for the exchanges of findings. */
  readonly evidence: Evidence
  readonly traffic: TrafficLog
  /** What its checks have sent and received. */
  readonly coverage: RunCoverage
  readonly transport: Transport
  readonly connections: ConnectionLog
  readonly overlap: Overlap
  readonly actors: Actors
  /** What it knows about the codes and tokens in the target's emails. */
  readonly proofs: ProofBook
  api(actor: string): Api
  /** The same for the clean-up: its requests are sent even after the run was stopped or its budget is used up. */
  cleaner(actor: string): Api
  /** The most privileged client, for the clean-up: a superuser, or a guest if none is known. */
  mostAble(): Api
}
