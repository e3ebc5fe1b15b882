/** What a command is given in addition to its arguments. */
export interface CommandInput {
  /** Added to the environment of a user. */
  env?: Record<string, string>
  /** Its stdin. */
  input?: string | Buffer
}

export interface CommandEnd {
  /** -1 where a signal ended it. */
  code: number
  out: string
  err: string
}
