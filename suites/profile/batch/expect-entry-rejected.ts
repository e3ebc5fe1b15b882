import { expectEqual } from '../../../harness/judging/expect.ts'
import type { ApiResponse, Body, SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { rawBatch, rawCreate, subRequests } from '../../shared/batch/entries.ts'
import { equals } from '../../shared/lists/shared-records.ts'

/** The first failure of a batch, as `data.requests` reports it. */
export interface ExpectedFailure {
  index: string
  code: unknown
  response: { status?: unknown; data?: unknown; message?: unknown } | undefined
}

/** What a rejected batch says about its sub-requests: one failure for each index that it names. */
export function failuresOf(response: ApiResponse): ExpectedFailure[] {
  const requests =
    (response.body as { data?: { requests?: Record<string, Body> } } | undefined)?.data?.requests ?? {}
  return Object.entries(requests).map(([index, { code, response }]) => ({
    index,
    code,
    response: response as ExpectedFailure['response'],
  }))
}

/**
 * Sends a batch that creates a marked record, then does `bad`, after a control that does `good` in its place. Expects
 * the status and exactly one failure, at index 1, and that nothing was written. Gives the inner response.
 */
export async function expectEntryRejected(
  context: CheckContext,
  { good, bad, api = context.api }: { good: SubRequest; bad: SubRequest; api?: CheckContext['api'] },
): Promise<ExpectedFailure['response']> {
  const { table, rejects, unique } = context
  const { create } = subRequests(api)
  const marker = unique('unwritten')
  const response = await rejects({
    control: () => api.batch([create(table('plain'), { title: unique('written') }), good]),
    attempt: () =>
      rawBatch(api, JSON.stringify({ requests: [rawCreate(api, table('plain'), { title: marker }), bad] })),
    status: 400,
  })
  const failures = failuresOf(response)
  expectEqual(
    failures.map(({ index, code }) => [index, code]),
    [['1', 'batch_request_failed']],
    'the failures of the batch',
  )
  await expectUnwritten(context, marker)
  return failures[0]?.response
}

/** No record of the table `plain` has this title. */
export async function expectUnwritten(context: CheckContext, title: string): Promise<void> {
  const plain = context.table('plain')
  const list = await context.api.list(plain, { filter: equals(context, plain, 'title', title) })
  expectEqual((list.body as { items?: unknown[] } | undefined)?.items, [], `the records titled ${title}`)
}
