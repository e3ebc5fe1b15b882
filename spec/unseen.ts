/**
 * Why a full run of the suite never sees some of what is described: statuses, parameters and actors.
 *
 * @module
 */

import { readData } from './read-data.ts'
import { requiredText, rowsUnder, SpecError, strings, toRow } from './row.ts'

const FILE = 'spec/unseen.yaml'

let reasons: ReadonlyMap<string, string> | undefined

const kinds = ['status', 'parameter', 'actor'] as const

/**
 * @param what a status, a parameter or an actor
 * @returns undefined for what the suite can see
 */
export function whyUnseen(operation: string, what: string): string | undefined {
  reasons ??= indexUnseen(readData('unseen'))
  return reasons.get(`${operation} ${what}`)
}

/**
 * Reasons by operation and what it does not see: `batch 413`, `requestOtp superuser`.
 *
 * @param content of `unseen.yaml`
 * @throws SpecError with file, row and fact
 */
export function indexUnseen(content: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, value] of rowsUnder(content, 'unseen', FILE).entries()) {
    const row = toRow(value, `${FILE}, row ${at + 1}`, 'name', [...kinds, 'operation', 'reason'])
    const [kind, second] = kinds.filter((each) => row.cells[each] !== undefined)
    if (kind === undefined || second !== undefined)
      throw new SpecError(row.place, `a row has one of ${kinds.join(', ')}.`)
    const what = requiredText(row, kind)
    const operations = strings(row, 'operation')
    if (operations.length === 0) throw new SpecError(row.place, '"operation" is missing.')
    for (const operation of operations) {
      const key = `${operation} ${what}`
      if (found.has(key)) throw new SpecError(row.place, `${key} has a reason already.`)
      found.set(key, requiredText(row, 'reason'))
    }
  }
  return found
}
