import { ConfigurationError } from '../errors.ts'

/** What shows that a prefix is wrong: tables respond under another one. */
interface WrongPrefix {
  given: string
  found: string
  /** The tables that respond. */
  names: readonly string[]
  /** Where the prefix was given. */
  place: string
  /** The next step, for the prefix as one writes it. */
  next(shown: string): string
}

export function wrongPrefixError({ given, found, names, place, next }: WrongPrefix): ConfigurationError {
  const shown = (prefix: string) => (prefix === '' ? '""' : prefix)
  const respond = `${names.join(', ')} ${names.length === 1 ? 'responds' : 'respond'}`
  return new ConfigurationError(
    `no table responds under the prefix ${shown(given)}; ${respond} under ${shown(found)}`,
    place,
    next(shown(found)),
  )
}
