/**
 * The words of the fuzzer, as types.
 *
 * @module
 */

/** `in-process`: `reference.fetch`. `socket`: HTTP to a child process. `raw`: bytes. `filter`: lists of one table. */
export const fuzzKinds = ['in-process', 'socket', 'raw', 'filter'] as const
export type FuzzKind = (typeof fuzzKinds)[number]

/** One generated request. Its strings can hold blanks (`blanks.ts`), which are filled just before it is sent. */
export interface FuzzRequest {
  /** The operation that it was generated for, or a name for what it is; figures are counted by it. */
  operation: string
  method: string
  /** From the host on, query included. Printable ASCII and blanks only. */
  path: string
  headers: readonly (readonly [name: string, value: string])[]
  body?: FuzzBody
}

export interface FuzzBody {
  text: string
  /** Bytes after the text, for what no string can say: invalid UTF-8. */
  tail?: readonly number[]
}

/** A request as it was sent. */
export interface FuzzedRequest {
  method: string
  path: string
  headers: Record<string, string>
  body?: Uint8Array
}

export interface ReceivedResponse {
  status: number
  headers: Record<string, string>
  body: Uint8Array
  /** Milliseconds of CPU for which it kept the event loop of the server at once. */
  cpu: number
}

/** A server, fresh for every session. */
export interface FuzzSession {
  /** @throws Misbehaved when there is no response */
  send(request: FuzzedRequest): Promise<ReceivedResponse>
  /** The newest email, for its content. */
  newestMail(): Promise<{ code?: string; token?: string } | undefined>
  /** What the server did that no response shows: uncaught exceptions, changed prototypes. */
  troubles(): Promise<string[]>
  /** The records of all tables except the system's, as one string; undefined if the server cannot list them. */
  state?(): Promise<string>
}

export interface FuzzTarget {
  start(): Promise<FuzzSession>
  close(): Promise<void>
}

/** What is wrong, at the end of the run. */
export type FailureClass =
  | '5xx'
  | 'crash'
  | 'block'
  | 'hang'
  | 'disagreement'
  | 'leak'
  | 'changed'
  | 'protocol'

export interface FuzzFailure {
  class: FailureClass
  /** Equal for equal defects, as far as they can be distinguished from outside. */
  signature: string
  message: string
  /** `KIND:SEED:ROUND:PATH` */
  replay: string
  /** The requests as curl lines, or bytes as hex. */
  shown: readonly string[]
  shrinks: number
}

export interface Count {
  inputs: number
  accepted: number
  statuses: Record<string, number>
}

/** What a kind has measured. */
export interface Figures {
  /** By operation. */
  counts: Record<string, Count>
  longest: { cpu: number; shown: string; replay: string }
  /** How often each class of failure was seen, before shrinking. */
  seen: Partial<Record<FailureClass, number>>
}

/** From the process of a kind to the command. */
export type Report =
  | { type: 'progress'; inputs: number; what: string }
  | { type: 'failure'; failure: FuzzFailure }
  | { type: 'round'; round: number; figures: Figures }
  /** The fuzzer itself failed. */
  | { type: 'error'; message: string }
  | { type: 'end' }

/** What a process of a kind is started with. */
export interface FuzzJob {
  kind: FuzzKind
  seed: number
  /** The round to begin with; those before were run by a process that ended. */
  round: number
  inputs: number
  /** Milliseconds, from the moment when the servers are ready. */
  time: number
  /** File to which the process writes its current session, so that it is known if the process hangs. */
  positionFile: string
  /** Signatures that need no shrinking again. */
  known: readonly string[]
  /** Runs only this: a path of fast-check in the round. */
  path?: string
  /** Prints the input of `path` without running it. */
  show?: boolean
}
