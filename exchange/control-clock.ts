/**
 * The clock in the bodies of control endpoints, for the server and for its client.
 *
 * @module
 */

/** The clock of the server. */
export interface ControlClock {
  /** Time in ISO 8601. */
  now: string
  /** Whether it is stopped. */
  frozen: boolean
  /** Milliseconds ahead of the machine's clock. */
  ahead: number
}

/** Changes of the clock. The server makes all of them, in this order. */
export interface ClockChange {
  /** Time in ISO 8601, milliseconds since 1970, or `system`. */
  set?: string | number | undefined
  /** Milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`. */
  advance?: string | number | undefined
  /** `true`, or the time to stop at. */
  freeze?: true | string | number | undefined
  /** Lets it run again. */
  unfreeze?: true | undefined
}
