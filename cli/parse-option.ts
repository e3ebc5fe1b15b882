/**
 * Parsers of options: each converts the string on the command line to a value, or throws an error that says what is
 * wrong.
 *
 * @module
 */

import { isVariable, secretName } from '../exchange/secrets/secret-names.ts'
import { levels, type OptionDeclaration } from '../harness/run-options.ts'
import { inWords } from '../spec/in-words.ts'
import { didYouMean } from '../spec/nearest.ts'
import { isPrefix } from '../spec/prefix.ts'

/** @param previous previous value of the same option, if it may be repeated */
export type ParseOption = (text: string, previous: unknown) => unknown

/** The parser of a declared option. Undefined for a switch. */
export function parserOf({ kind, least = 0, most = 0 }: OptionDeclaration): ParseOption | undefined {
  switch (kind) {
    case 'string':
      return once
    case 'prefix':
      return pathPrefix
    case 'words':
      return words
    case 'level':
      return level
    case 'number':
      return positive(most)
    case 'integer':
      return integer(least, most)
    case 'headers':
      return header
    case 'switch':
      return undefined
  }
}

export function once(text: string): string {
  if (text === '') throw new Error('must not be empty')
  return text
}

export function pathPrefix(text: string): string {
  if (isPrefix(text)) return text
  throw new Error('must be a path such as /api/v1, without a trailing slash')
}

/** One of these words. */
export function oneOf<const Value extends string>(...values: Value[]): (text: string) => Value {
  return (text) => {
    const value = values.find((each) => each === text)
    if (value !== undefined) return value
    const meant = didYouMean(text, values)
    const valid = inWords(values, 'or')
    throw new Error(`must be ${valid}${meant === '' ? '' : `.${meant}`}`)
  }
}

function words(text: string, previous: unknown): string[] {
  const more = text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '')
  if (more.length === 0) throw new Error('must not be empty')
  return [...((previous as string[] | undefined) ?? []), ...more]
}

function level(text: string): string {
  const upper = text.toUpperCase()
  if (!levels.includes(upper)) throw new Error('must be MUST, SHOULD or MAY')
  return upper
}

export function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^-?\d+$/.test(text) || value < least || value > most)
      throw new Error(`must be an integer from ${least} to ${most}`)
    return value
  }
}

function positive(most: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d*\.?\d+$/.test(text) || value <= 0 || value > most)
      throw new Error(`must be a number greater than 0 and at most ${most}`)
    return value
  }
}

function header(text: string, previous: unknown): Record<string, string> {
  const [, name, value] = /^([\w!#$%&'*+.^`|~-]+)\s*:\s*(.*)$/.exec(text) ?? []
  if (name === undefined || value === undefined) throw new Error('must have the form name:value')
  if (/^authorization$/i.test(name))
    throw new Error(
      'must not be Authorization, which the checks set themselves: put credentials of the server in a target file. If a gateway requires Basic authentication, use the address of the server behind it',
    )
  if (secretName(name) !== undefined && !isVariable(value))
    throw new Error(
      `must not contain a secret, since arguments are visible to other processes: use '${name}:$NAME' to read it from the environment`,
    )
  return { ...((previous as Record<string, string> | undefined) ?? {}), [name.toLowerCase()]: value }
}
