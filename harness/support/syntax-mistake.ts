/**
 * Where a JSON or YAML file of the tester breaks its syntax.
 *
 * @module
 */

import { ConfigurationError, messageOf } from '../errors.ts'

interface YamlError extends Error {
  linePos?: readonly { line: number; col: number }[]
}

/**
 * The error for text that `JSON.parse` or the YAML library rejected, with line and column as editors know them:
 * `data.yaml:4:1`. The excerpt that both add to their message is left out.
 *
 * @param what as in "the target file"
 * @param place file as it was given, perhaps after its flag
 */
export function syntaxMistake(what: string, place: string, text: string, error: unknown): ConfigurationError {
  const [first = ''] = messageOf(error).split('\n')
  const fact = first.replace(/( in JSON)? at (position|line) \d.*$/, '').replace(/[:.]$/, '')
  return new ConfigurationError(
    `${what} has a syntax error: ${fact}`,
    `${place}${positionOf(error, text)}`,
    'correct the syntax there',
  )
}

/** `:LINE:COLUMN`, or nothing if the library does not say. */
function positionOf(error: unknown, text: string): string {
  const [at] = (error as YamlError).linePos ?? []
  if (at !== undefined) return `:${at.line}:${at.col}`
  const message = messageOf(error)
  const offset = /^Unexpected end/.test(message)
    ? text.length
    : Number(/at position (\d+)/.exec(message)?.[1])
  if (Number.isNaN(offset)) return ''
  const before = text.slice(0, offset).split('\n')
  return `:${before.length}:${(before.at(-1)?.length ?? 0) + 1}`
}
