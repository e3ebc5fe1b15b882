/**
 * The first step of an index: from a CREATE INDEX statement to tokens, and a cursor for those who read them.
 *
 * @module
 */

/** A token of a CREATE INDEX statement. `name` is quoted or not; `text` and `number` are literals. */
export interface SqlToken {
  readonly kind: 'name' | 'text' | 'number' | 'sign'
  readonly value: string
  /** The quote around a name: a double-quoted name that matches no column is a string. */
  readonly quote?: string
}

/** An unknown column or collation. */
export class UnknownName extends Error {
  override readonly name = 'UnknownName'
}

const token = new RegExp(
  [
    '\\s+',
    '--[^\\n]*',
    "'(?<text>(?:[^']|'')*)'",
    '`(?<tick>[^`]+)`',
    '"(?<double>(?:[^"]|"")*)"',
    '\\[(?<bracket>[^\\]]+)\\]',
    '(?<number>-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)',
    '(?<word>[a-z_][\\w$]*)',
    '(?<sign><>|!=|==|<=|>=|[=<>(),.;])',
  ].join('|'),
  'giy',
)

/** @throws Error that quotes what cannot be read */
export function sqlTokens(statement: string): SqlToken[] {
  const tokens: SqlToken[] = []
  token.lastIndex = 0
  while (token.lastIndex < statement.length) {
    const start = token.lastIndex
    const match = token.exec(statement)
    if (!match) throw new Error(`cannot read it from "${statement.slice(start, start + 20)}" on`)
    const found = tokenOf(match.groups ?? {})
    if (found) tokens.push(found)
  }
  return tokens
}

function tokenOf(groups: Record<string, string | undefined>): SqlToken | undefined {
  const { text, tick, double, bracket, number, word, sign } = groups
  if (text !== undefined) return { kind: 'text', value: text.replaceAll("''", "'") }
  if (double !== undefined) return { kind: 'name', value: double.replaceAll('""', '"'), quote: '"' }
  if (tick !== undefined) return { kind: 'name', value: tick, quote: '`' }
  if (bracket !== undefined) return { kind: 'name', value: bracket, quote: '[' }
  if (number !== undefined) return { kind: 'number', value: number }
  if (word !== undefined) return { kind: 'name', value: word }
  return sign === undefined ? undefined : { kind: 'sign', value: sign }
}

/** Reads tokens from left to right. */
export class TokenCursor {
  readonly #tokens: readonly SqlToken[]
  #at = 0

  constructor(tokens: readonly SqlToken[]) {
    this.#tokens = tokens
  }

  get done(): boolean {
    return this.#at >= this.#tokens.length
  }

  peek(ahead = 0): SqlToken | undefined {
    return this.#tokens[this.#at + ahead]
  }

  next(): SqlToken | undefined {
    const found = this.#tokens[this.#at]
    this.#at += 1
    return found
  }

  /** Takes the next token when it is this keyword or sign. */
  take(value: string): boolean {
    const found = this.peek()
    if (!found || found.quote || found.kind === 'text' || found.value.toUpperCase() !== value) return false
    this.#at += 1
    return true
  }

  /** @throws Error that names what is missing */
  expect(value: string): void {
    if (!this.take(value)) throw this.unexpected(value)
  }

  unexpected(wanted: string): Error {
    const found = this.peek()
    return new Error(`expected ${wanted}, found ${found ? `"${found.value}"` : 'the end'}`)
  }
}
