import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/**
 * A batch writes nothing if one of its sub-requests is rejected because a right or the value of a field is missing. Its
 * response is left open. Only a request that is also rejected alone is expected to fail in a batch.
 */
export async function expectForbiddenTogether(context: CheckContext): Promise<void> {
  const { api, table, hasTable, unique } = context
  const plain = table('plain')
  const { create } = subRequests(api)
  for (const [role, body] of [
    ['locked', { title: unique('closed') }],
    ['required', {}],
  ] as const) {
    if (!hasTable(role) || (await api.create(table(role), body)).ok) continue
    const bad = create(table(role), body)
    const title = unique('together')
    const good = create(plain, { title })
    await api.batch([good, bad])
    await api.batch([bad, good])
    await expectNoneTitled(context, title, `of two batches with a create that ${table(role).name} rejects`)
  }
}
