import { mayAdmit } from '../../exchange/secrets/secret-names.ts'

/** Most characters of a parameter that a reason shows. */
const longestShown = 200

/**
 * An error in a filter, sort, pagination or fields parameter. The HTTP layer returns the same generic 400 for all of
 * them (contract-records 1.3, 2.10), so that no response reveals which names exist; the message is for callers in code.
 */
export class QueryError extends Error {
  override readonly name = 'QueryError'
  /** ` Did you mean "x"?`, or nothing: worked out only when a log is read. */
  readonly hint: () => string
  /** The parameter that contains the mistake, if it is a long text. */
  parameter: { readonly name: 'filter' | 'sort'; readonly text: string } | undefined

  constructor(message: string, hint = () => '') {
    super(message)
    this.hint = hint
  }

  /** The message with the text of the parameter below it, for the log. */
  lines(): string[] {
    const { parameter, message } = this
    if (parameter === undefined) return [message + this.hint()]
    const title = parameter.name === 'filter' ? 'Filter' : 'Sort'
    const fact = message.startsWith(title)
      ? message
      : `${title}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
    const shown = parameter.text.split(/[^\w-]+/).some(mayAdmit)
      ? 'not shown'
      : parameter.text.slice(0, longestShown).toWellFormed()
    const rest = parameter.text.length > longestShown ? '…' : ''
    return [fact + this.hint(), `  ${parameter.name}: ${shown}${rest}`]
  }
}

/** Calls a function that compiles a parameter, and adds the parameter to its errors. @throws QueryError */
export function inParameter<Compiled>(
  name: 'filter' | 'sort',
  text: string,
  compile: () => Compiled,
): Compiled {
  try {
    return compile()
  } catch (error) {
    if (error instanceof QueryError) error.parameter = { name, text }
    throw error
  }
}
