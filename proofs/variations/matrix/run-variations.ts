/**
 * The acquittal matrix: the document's checks against every lawful variation, nothing claimed.
 *
 * @module
 */

import { loadVariations } from './registry.ts'
import { runRows } from './run-rows.ts'
import type { VariationRow } from './variation-row.ts'
import type { Extent } from './variation-runner.ts'

export interface VariationMatrixOptions {
  /** @default 1 */
  seed?: number
  /** Only variations whose name, area or nearest requirements contain this string. */
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
  const chosen = (await loadVariations()).filter(
    ({ name, area, near }) =>
      name.includes(filter) || area === filter || near.some((id) => id.includes(filter)),
  )
  if (chosen.length === 0)
    throw new Error(
      `No variation is called, or is near to, anything like "${filter}". Leave it out to run all.`,
    )
  const jobs = chosen.filter((_, at) => at % every === 0).map(({ name }) => ({ names: [name], seed }))
  const rows = await runRows(extent, jobs, onRow)
  const place = ({ names }: VariationRow) => chosen.findIndex(({ name }) => name === names[0])
  return rows.sort((a, b) => place(a) - place(b))
}
