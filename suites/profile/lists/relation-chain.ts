import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import type { TableRef } from '../../../harness/vocabulary/target.ts'

/** Records of `related` in a row. */
export interface Chain {
  table: TableRef
  /** Each is the parent of the next. */
  ids: string[]
  /** The names are this and the index: `mark 0`, `mark 1`, ... */
  mark: string
}

export async function chain({ table, make, unique }: CheckContext, length: number): Promise<Chain> {
  const mark = unique('chain')
  const ids: string[] = []
  for (let index = 0; index < length; index += 1) {
    const parent = ids.at(-1) ?? ''
    ids.push((await make(table('related'), { name: `${mark} ${index}`, rank: index, parent })).id)
  }
  return { table: table('related'), ids, mark }
}
