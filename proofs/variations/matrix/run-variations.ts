/**
 * The acquittal matrix: the document's checks against every lawful variation, nothing claimed.
 *
 * @module
 */

import type { Variation } from '../variation.ts'
import { loadVariations } from './registry.ts'
import { runRows } from './run-rows.ts'
import type { VariationRow } from './variation-row.ts'
import type { Extent } from './variation-runner.ts'

export interface VariationMatrixOptions {
  /** @default 1 */
  seed?: number
  /** Only the variations of this area or, if no area is called so, those with it in a name or in `near`. */
  filter?: string
  /** Only every n-th variation. @default 1 */
  every?: number
  /** Checks that are run against every variation. @default 'near' */
  extent?: Exclude<Extent, 'together'>
  /** In the order in which they are done. */
  onRow?: (row: VariationRow) => void
}

/** @throws Error when the filter matches nothing */
export async function runVariations({
  seed = 1,
  filter = '',
  every = 1,
  extent = 'near',
  onRow,
}: VariationMatrixOptions = {}): Promise<VariationRow[]> {
  const all = await loadVariations()
  const ofArea = all.filter(({ area }) => area === filter)
  const called = ({ name, near }: Variation) => [name, ...near].some((each) => each.includes(filter))
  const chosen = ofArea.length > 0 ? ofArea : all.filter(called)
  if (chosen.length === 0)
    throw new Error(
      `No variation is called, or is near to, anything like "${filter}". Leave it out to run all.`,
    )
  const jobs = chosen.filter((_, at) => at % every === 0).map(({ name }) => ({ names: [name], seed }))
  const rows = await runRows(extent, jobs, onRow)
  const place = ({ names }: VariationRow) => chosen.findIndex(({ name }) => name === names[0])
  return rows.sort((a, b) => place(a) - place(b))
}
