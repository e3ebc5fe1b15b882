/**
 * Exceptions that are not about the server's conformance. Each names the fact, the place and the next step.
 *
 * @module
 */

import type { Exchange } from '../exchange/exchange.ts'

/** The tester's configuration is wrong: a file, a flag, a credential, an address. Exit code 2. */
export class ConfigurationError extends Error {
  /** Always `ConfigurationError`. */
  override name = 'ConfigurationError'
  /** What is wrong. */
  readonly fact: string
  /** Where the error is: a flag, or a file and a key. */
  readonly place: string
  /** What to do next. */
  readonly next: string

  /** Builds the message from the three parts. */
  constructor(fact: string, place: string, next: string) {
    super(`${fact}\n  at    ${place}\n  next  ${next}`)
    this.fact = fact
    this.place = place
    this.next = next
  }
}

/** The message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** The error for a file that cannot be written. `what`: as in "the baseline"; `flag`: as it was given. */
export function unwritable(what: string, flag: string, error: unknown): ConfigurationError {
  const { code = String(error) } = error as NodeJS.ErrnoException
  return new ConfigurationError(
    `${what} cannot be written (${code})`,
    flag,
    /^(?:ENOSPC|EDQUOT|EFBIG)$/.test(code)
      ? 'make room on that disk, or use a file on another one'
      : 'use a file in an existing, writable folder',
  )
}

export type NetworkFault = 'unreachable' | 'timeout' | 'cut' | 'malformed' | 'oversized'

/** There was no complete response. Whether that is a finding depends on whether the target still responds. */
export class NetworkError extends Error {
  override name = 'NetworkError'
  readonly fault: NetworkFault
  readonly request: string

  constructor(fault: NetworkFault, request: string, cause: unknown) {
    super(`${describeFault[fault]}: ${request}`, { cause })
    this.fault = fault
    this.request = request
  }
}

const describeFault: Record<NetworkFault, string> = {
  unreachable: 'the target is not reachable',
  timeout: 'no complete response within the time limit',
  cut: 'the connection was closed before the response was complete',
  malformed: 'the response is not HTTP',
  oversized: 'the response is larger than the suite reads',
}

/** A bug of ours, for example a request that our own description forbids. Exit code 2, never scored. */
export class HarnessError extends Error {
  override name = 'HarnessError'
}

/** The target responded before and no longer does. Exit code 2. */
export class TargetLostError extends Error {
  override name = 'TargetLostError'
  /** The request that got no response. Absent if that was another one's. */
  readonly exchange?: Exchange
  /** The last request that completed before it. */
  readonly before?: Exchange

  constructor(
    message = 'the target stopped responding',
    { cause, exchange, before }: { cause?: unknown; exchange?: Exchange; before?: Exchange | undefined } = {},
  ) {
    super(message, { cause })
    if (exchange !== undefined) this.exchange = exchange
    if (before !== undefined) this.before = before
  }
}

/** The run was stopped from outside (Ctrl-C, time limit of the check). */
export class StoppedError extends Error {
  override name = 'StoppedError'
}
