import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/** Whether `related` takes a rank below zero, which is left open: tried once a run. */
export function takesNegativeRanks({ api, once, table, unique }: CheckContext): Promise<boolean> {
  const related = table('related')
  return once('ranks below zero', async () => {
    const { ok } = await api.create(related, { name: unique('negative'), rank: -20 })
    return ok
  })
}

/** The ranks as they are. Where the target takes none below zero, all are raised by the same number, above zero. */
export async function takenRanks(context: CheckContext, ranks: readonly number[]): Promise<number[]> {
  const lowest = Math.min(...ranks)
  if (lowest > 0 || (await takesNegativeRanks(context))) return [...ranks]
  return ranks.map((rank) => rank - lowest + 1)
}
