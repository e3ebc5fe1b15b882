/**
 * An error in a filter, sort, pagination or fields parameter. The HTTP layer returns the same generic 400 for all of
 * them (contract-records 1.3, 2.10), so that no response reveals which names exist; the message is for callers in code.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  /** ` Did you mean "x"?`, or nothing: worked out only when a log is read. */
  readonly hint: () => string

  constructor(message: string, hint = () => '') {
    super(message)
    this.hint = hint
  }
}
