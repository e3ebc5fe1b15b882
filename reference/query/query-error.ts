/**
 * A mistake in a text that a client sent as filter, sort, paging, or fields. The HTTP layer answers all of them
 * with the same generic 400 (contract-records 1.3, 2.10), so that no answer tells which names exist; the message
 * is for whoever calls the module in code.
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
