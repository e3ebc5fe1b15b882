import { isPrefix, prefixOf } from '../spec/prefix.ts'
import { rejectUnknown } from '../spec/reject-unknown.ts'
import { checkDefinition } from './check-definition.ts'
import type { ValidatorOptions } from './vocabulary.ts'

/** Every option; the compiler checks that the list is complete. A list: the values that it has. */
const options: Record<keyof ValidatorOptions, readonly unknown[] | 'list' | 'string' | 'number' | 'object'> =
  {
    tables: 'list',
    profile: ['standard', 'none'],
    prefix: 'string',
    strict: [true, false],
    checks: ['all', 'schema'],
    limit: 'number',
    coverage: 'object',
  }

/** Names of the options. */
export const validatorOptionNames: readonly string[] = Object.keys(options)

/** A misspelled option or value would turn off what it requests. @throws TypeError that names it */
export function checkValidatorOptions(given: ValidatorOptions): void {
  rejectUnknown(given, validatorOptionNames, 'option of the validator')
  for (const [name, kind] of Object.entries(options)) {
    const value = given[name as keyof ValidatorOptions]
    if (value === undefined) continue
    if (
      typeof kind === 'string'
        ? kind === (Array.isArray(value) ? 'list' : typeof value)
        : kind.includes(value)
    )
      continue
    const wanted =
      typeof kind === 'string'
        ? `${kind === 'object' ? 'an' : 'a'} ${kind}`
        : kind.map((one) => JSON.stringify(one)).join(' or ')
    const found = typeof value === 'object' ? 'an object' : (JSON.stringify(value) ?? `a ${typeof value}`)
    throw new TypeError(`The option "${name}" of the validator is ${found}: expected ${wanted}.`)
  }
  const { prefix, limit, coverage, tables = [] } = given
  if (limit !== undefined && !(Number.isSafeInteger(limit) && limit > 0))
    throw new TypeError(
      `The option "limit" of the validator is ${limit}: expected a number of bytes, at least 1.`,
    )
  if (coverage !== undefined && typeof coverage?.record !== 'function')
    throw new TypeError('The option "coverage" of the validator is not a collector: pass createCoverage().')
  for (const [at, table] of tables.entries()) checkDefinition(table, at)
  if (prefix !== undefined && !isPrefix(prefixOf(prefix)))
    throw new TypeError(
      `The option "prefix" of the validator is ${JSON.stringify(prefix)}: expected a path such as "/api/v1", or "" for none.`,
    )
}
