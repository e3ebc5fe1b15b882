import { isPromise } from './is-promise.ts'
import { kindName } from './kind-name.ts'
import { didYouMean } from './nearest.ts'

/**
 * Rejects unknown keys: otherwise a misspelled option would have no effect, without an error.
 *
 * @param given the options; undefined for none
 * @param what the keys are, for the message
 * @param inside the option that contains them, with a dot at the end. @default they are the options themselves
 * @throws TypeError with the nearest name, or for anything that is not an object
 */
export function rejectUnknown(
  given: object | undefined,
  known: readonly string[],
  what: string,
  inside = '',
): void {
  if (given === undefined) return
  const subject = inside === '' ? wholeOf(what) : `"${inside.slice(0, -1)}"`
  if (isPromise(given))
    throw new TypeError(
      `${subject} must be an object with ${listed(known)}; found a promise: await it first.`,
    )
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new TypeError(`${subject} must be an object with ${listed(known)}; found ${kindName(given)}.`)
  const unknown = Object.keys(given).find((key) => !known.includes(key))
  if (unknown === undefined) return
  throw new TypeError(
    `There is no ${what} "${inside}${unknown}".${didYouMean(unknown, known)} Available: ${known.join(', ')}.`,
  )
}

/** `The options of records.list` for `option of records.list`, `A pretended user` for `part of a pretended user`. */
function wholeOf(what: string): string {
  const whole = what.replace(/^part of /, '')
  if (whole !== what) return whole.charAt(0).toUpperCase() + whole.slice(1)
  return `The ${what.replace(/^\w+/, (kind) => `${kind}s`)}`
}

function listed(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length > 1 ? `${names.slice(0, -1).join(', ')} or ${last}` : last
}
