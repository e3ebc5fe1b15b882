/**
 * Why a full run of the suite never sees some statuses that are described.
 *
 * @module
 */

import { readData } from './read-data.ts'
import { requiredText, rowsUnder, SpecError, strings, toRow } from './row.ts'

const FILE = 'spec/unseen.yaml'

let reasons: ReadonlyMap<string, string> | undefined

/** @returns undefined for a status that the suite can see */
export function whyUnseen(operation: string, status: string): string | undefined {
  reasons ??= indexUnseen(readData('unseen'))
  return reasons.get(`${operation} ${status}`)
}

/**
 * Reasons by operation and status: `batch 413`.
 *
 * @param content of `unseen.yaml`
 * @throws SpecError with file, row and fact
 */
export function indexUnseen(content: unknown): Map<string, string> {
  const found = new Map<string, string>()
  for (const [at, value] of rowsUnder(content, 'unseen', FILE).entries()) {
    const row = toRow(value, `${FILE}, row ${at + 1}`, 'name', ['status', 'operation', 'reason'])
    const status = requiredText(row, 'status')
    const operations = strings(row, 'operation')
    if (operations.length === 0) throw new SpecError(row.place, '"operation" is missing.')
    for (const operation of operations) {
      const key = `${operation} ${status}`
      if (found.has(key)) throw new SpecError(row.place, `${key} has a reason already.`)
      found.set(key, requiredText(row, 'reason'))
    }
  }
  return found
}
