import type { SubRequest } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectNoneTitled } from './expect-none-titled.ts'

/**
 * A batch writes nothing if one of its sub-requests is rejected because a right or the value of a field is missing, or
 * because another record refers to the one that it deletes. Its response is left open. Only a request that is also
 * rejected alone is expected to fail in a batch.
 */
export async function expectForbiddenTogether(context: CheckContext): Promise<void> {
  const { api, table, unique } = context
  const plain = table('plain')
  const { create } = subRequests(api)
  for (const [what, bad] of [...(await rejectedCreates(context)), ...(await rejectedDeletes(context))]) {
    const title = unique('together')
    const good = create(plain, { title })
    await api.batch([good, bad])
    await api.batch([bad, good])
    await expectNoneTitled(context, title, `of two batches with ${what}`)
  }
}

type Rejected = [what: string, request: SubRequest]

async function rejectedCreates({ api, table, hasTable, unique }: CheckContext): Promise<Rejected[]> {
  const rejected: Rejected[] = []
  for (const [role, body] of [
    ['locked', { title: unique('closed') }],
    ['required', {}],
  ] as const) {
    if (!hasTable(role) || (await api.create(table(role), body)).ok) continue
    const what = `a create that ${table(role).name} rejects`
    rejected.push([what, subRequests(api).create(table(role), body)])
  }
  return rejected
}

/** The first of these relations that the target has: its table, a text of it, and the table that it refers to. */
const RELATIONS = [
  ['requiring', 'label', 'plain'],
  ['child', 'name', 'parent'],
  ['related', 'name', 'related'],
] as const

/** Whether a record that another one refers to can be deleted is left open. */
async function rejectedDeletes(context: CheckContext): Promise<Rejected[]> {
  const { api, table, hasTable, make, mayExist, unique } = context
  const relation = RELATIONS.find((roles) => hasTable(roles[0]) && hasTable(roles[2]))
  if (relation === undefined || !mayExist('deleteRecord')) return []
  const [child, text, parent] = relation
  const held = await unlessPrevented(async () => {
    const name = parent === 'plain' ? 'title' : 'name'
    const { id } = await make(table(parent), { [name]: unique('held') })
    await make(table(child), { [text]: unique('holds'), parent: id })
    return id
  })
  if (held === undefined || (await api.delete(table(parent), held)).ok) return []
  const what = `a delete that ${table(parent).name} rejects because of a record of ${table(child).name}`
  return [[what, subRequests(api).remove(table(parent), held)]]
}
