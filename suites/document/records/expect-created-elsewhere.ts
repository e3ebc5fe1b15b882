import { isRejected } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { createdIn, recordOf } from '../../shared/records/record-of.ts'
import { neededIn } from '../../shared/records/relation-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { expectText } from './expect-text.ts'

/**
 * A record of another table has the whole string that it is created with. Which strings a table accepts, and who may view its
 * records, is left open.
 */
export async function expectCreatedElsewhere(context: CheckContext): Promise<void> {
  const { api, hasTable, table, unique } = context
  for (const role of ['related', 'parent', 'child']) {
    if (!hasTable(role)) continue
    const needed = await unlessPrevented(() => neededIn(context, role))
    const name = `${unique('Name')} ${'and so on '.repeat(5)}`.trim()
    const response = await api.create(table(role), { ...needed, name })
    if (isRejected(response)) continue
    const id = await unlessPrevented(() => createdIn(context, table(role), response))
    const view = id === undefined ? undefined : await api.view(table(role), id)
    if (view?.ok !== true) continue
    expectText(
      recordOf(view).name,
      name,
      `${table(role).fields?.name ?? 'name'} of a record of ${table(role).name}`,
    )
  }
}
