import { didYouMean } from './nearest.ts'

/**
 * Rejects unknown keys: otherwise a misspelled option would have no effect, without an error.
 *
 * @param what the keys are, for the message
 * @param inside the option that contains them
 * @throws TypeError with the nearest name
 */
export function rejectUnknown(
  given: object | undefined,
  known: readonly string[],
  what: string,
  inside = '',
): void {
  if (given === undefined) return
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new TypeError(
    `There is no ${what} "${inside}${unknown}".${didYouMean(unknown, known)} There are: ${known.join(', ')}.`,
  )
}
