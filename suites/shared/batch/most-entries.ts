import { UntestableError } from '../../../harness/judging/expect.ts'
import type { SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordsWith } from '../lists/shared-records.ts'
import { subRequests } from './entries.ts'

/**
 * Sub-requests in one batch of a check of the document, including one that fails. How many a batch may contain is left
 * open (8).
 */
export const MOST_ENTRIES = 5
/** Sub-requests in a large batch, if the target accepts that many. */
export const MANY_ENTRIES = 12

type Given = Pick<CheckContext, 'api' | 'table' | 'unique' | 'once' | 'binding'>

/** Their titles differ: a table may demand it. @param title of the first one */
function creates({ api, table }: Given, count: number, title: string) {
  const { create } = subRequests(api)
  return Array.from({ length: count }, (_, at) =>
    create(table('plain'), { title: at === 0 ? title : `${title}-${at}` }),
  )
}

/** Whether the target accepts `MANY_ENTRIES`, by what the batch did: a rejection may have any status, even 200. */
function takesMany(context: CheckContext): Promise<boolean> {
  const { api, once, table, unique } = context
  return once('many entries of a batch', async () => {
    const title = unique('many')
    if (!(await api.batch(creates(context, MANY_ENTRIES, title))).ok) return false
    return (await recordsWith(context, table('plain'), 'title', title)).length > 0
  })
}

/** Sub-requests that the target takes in one batch, at most `MOST_ENTRIES`: tried once a run. */
export async function mostEntries(context: CheckContext): Promise<number> {
  if (await takesMany(context)) return MOST_ENTRIES
  const { api, once, unique } = context
  return once('most entries of a batch', async () => {
    for (let most = MOST_ENTRIES; most > 0; most -= 1) {
      const { status, ok } = await api.batch(creates(context, most, unique('most')))
      if (ok) return most
      // Batches are for others, or there are none: the number is not the cause.
      if (status === 401 || status >= 500) break
    }
    return MOST_ENTRIES
  })
}

/**
 * As `mostEntries`, for a claim about several sub-requests.
 *
 * @throws UntestableError if the target takes one sub-request in a batch, which shows nothing of several
 */
export async function severalEntries(context: CheckContext): Promise<number> {
  const most = await mostEntries(context)
  if (most > 1) return most
  throw new UntestableError(
    'a batch of two sub-requests is rejected, one of a single sub-request is not (allowed)',
    'if the limit of sub-requests in a batch can be configured, raise it',
  )
}

/** Sub-requests that may be in different batches, in as few as the target takes. */
export async function inBatches(
  context: CheckContext,
  requests: readonly SubRequest[],
): Promise<SubRequest[][]> {
  const most = await mostEntries(context)
  const batches: SubRequest[][] = []
  for (let at = 0; at < requests.length; at += most) batches.push(requests.slice(at, at + most))
  return batches
}

/** Tried where the target does not take `MANY_ENTRIES`: common limits, without the one that is counted. */
const FEWER_ENTRIES = [10, 9, 8, 7, 6] as const

/** Sub-requests of a large batch: `MANY_ENTRIES`, or as many as the target accepts. */
export async function manyEntries(context: CheckContext): Promise<number> {
  if (await takesMany(context)) return MANY_ENTRIES
  const most = await mostEntries(context)
  if (most < MOST_ENTRIES) return most
  const { api, once, unique } = context
  return once('entries of a large batch', async () => {
    for (const count of FEWER_ENTRIES)
      if ((await api.batch(creates(context, count, unique('many')))).ok) return count
    return most
  })
}
