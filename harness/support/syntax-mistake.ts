/**
 * Where a JSON or YAML file of the tester breaks its syntax.
 *
 * @module
 */

import { type JsonMistake, placeOfMistake } from '../../exchange/json-mistake.ts'
import { ConfigurationError, messageOf } from '../errors.ts'

interface YamlError extends Error {
  linePos?: readonly { line: number; col: number }[]
}

/**
 * The error for text that `JSON.parse` or the YAML library rejected, with line and column as editors know them:
 * `data.yaml:4:1`. The excerpt that the libraries add to their message is left out.
 *
 * @param what as in "the target file"
 * @param place file as it was given, perhaps after its flag
 */
export function syntaxMistake(what: string, place: string, text: string, error: unknown): ConfigurationError {
  const { fact, line, column } = mistakeIn(text, error)
  return new ConfigurationError(
    `${what} has a syntax error: ${fact}`,
    line === undefined ? place : `${place}:${line}:${column}`,
    'correct the syntax there',
  )
}

function mistakeIn(text: string, error: unknown): Partial<JsonMistake> {
  // The parser of the platform does not always say where.
  if (error instanceof SyntaxError) return placeOfMistake(text) ?? { fact: messageOf(error) }
  const [first = ''] = messageOf(error).split('\n')
  const [at] = (error as YamlError).linePos ?? []
  return { fact: first.replace(/ at line \d.*$/, '').replace(/[:.]$/, ''), line: at?.line, column: at?.col }
}
