/**
 * The acquittal matrix: the document's checks against every lawful variation, nothing claimed.
 *
 * @module
 */

import { didYouMean } from '../../../spec/nearest.ts'
import { chosenBy } from '../../faults/matrix/chosen-by.ts'
import type { Variation } from '../variation.ts'
import { loadVariations } from './registry.ts'
import { runRows } from './run-rows.ts'
import type { VariationRow } from './variation-row.ts'
import type { Extent } from './variation-runner.ts'

export interface VariationMatrixOptions {
  /** @default 1 */
  seed?: number
  /** Only the variations of these areas; of a text that names no area, those with it in a name or in `near`. @default all */
  texts?: readonly string[]
  /** Only every n-th variation. @default 1 */
  every?: number
  /** Checks that are run against every variation. @default 'near' */
  extent?: Exclude<Extent, 'together'>
  /** Only the checks of these requirements. @default those of `extent` */
  ids?: readonly string[] | undefined
  /** In the order in which they are done. */
  onRow?: (row: VariationRow) => void
}

/** @throws Error when a text matches nothing */
export async function runVariations({
  seed = 1,
  texts = [],
  every = 1,
  extent = 'near',
  ids,
  onRow,
}: VariationMatrixOptions = {}): Promise<VariationRow[]> {
  const all = await loadVariations()
  const chosen = chosenBy(texts, all, (text) => namedBy(text, all), 'No variation is called, or is near to,')
  const jobs = chosen.filter((_, at) => at % every === 0).map(({ name }) => ({ names: [name], ids, seed }))
  const rows = await runRows(extent, jobs, onRow)
  const place = ({ names }: VariationRow) => chosen.findIndex(({ name }) => name === names[0])
  return rows.sort((a, b) => place(a) - place(b))
}

function namedBy(text: string, all: readonly Variation[]): Variation[] {
  const ofArea = all.filter(({ area }) => area === text)
  const called = ({ name, near }: Variation) => [name, ...near].some((each) => each.includes(text))
  return ofArea.length > 0 ? ofArea : all.filter(called)
}

/** @throws Error when there is no name, or none of a variation */
export async function wholeNames(names: readonly string[]): Promise<readonly string[]> {
  if (names.length === 0) throw new Error('No variation is named. Give the whole names of those to combine.')
  const known = (await loadVariations()).map(({ name }) => name)
  const unknown = names.find((name) => !known.includes(name))
  if (unknown === undefined) return names
  throw new Error(`No variation is called "${unknown}".${didYouMean(unknown, known)}`)
}
