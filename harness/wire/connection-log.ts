/**
 * The log of a run's connections, for its report and for the decision whether a check is run again.
 *
 * @module
 */

/** What a report says of connections that broke. */
export interface ConnectionCounts {
  /** Connections that broke before a complete response. */
  broken: number
  /** Requests that were sent a second time because of it. */
  sentAgain: number
  /** Checks, and examples of properties, that were run again from their start. */
  runAgain: number
}

export class ConnectionLog implements ConnectionCounts {
  broken = 0
  sentAgain = 0
  runAgain = 0
  /**
   * Requests of the checks so far, each counted once even if it was sent several times: the position of a request in a
   * check.
   */
  sent = 0
  /** Requests that may write, among those sent again since a check or an example began. */
  repeatedWrites = 0
  /** Why something was run again, in words for the report. */
  readonly reasons: string[] = []
  /** Requests that the server was found to drop, as method and operation: they are not tried again. */
  readonly dropped = new Set<string>()

  /** Undefined if no connection broke. */
  counts(): ConnectionCounts | undefined {
    const { broken, sentAgain, runAgain } = this
    return broken === 0 ? undefined : { broken, sentAgain, runAgain }
  }
}

/** Adds up the logs of several workers. */
export function sumOfConnections(all: readonly ConnectionCounts[]): ConnectionCounts | undefined {
  if (all.length === 0) return undefined
  const sum = (key: keyof ConnectionCounts) => all.reduce((total, each) => total + each[key], 0)
  return { broken: sum('broken'), sentAgain: sum('sentAgain'), runAgain: sum('runAgain') }
}
