import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordsWith } from '../../shared/lists/shared-records.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'
import { idsLike } from '../batch/given-ids.ts'

/**
 * A record whose client chose an id in capitals is shown by the id that lists show. Whether a client may choose an id, and
 * whether it keeps its letters, is left open.
 *
 * @param own an id of the server, in whose form it is
 */
export async function expectCapitalsViewed(context: CheckContext, own: string): Promise<void> {
  const { api, mayExist, table, unique } = context
  if (!mayExist('createRecord')) return
  const plain = table('plain')
  const id = (idsLike(own) ?? newId)(unique).toUpperCase()
  // An id without letters has no capitals.
  if (id === id.toLowerCase()) return
  const title = unique('capitals')
  if (!(await api.create(plain, { id, title })).ok) return
  const found = await unlessPrevented(() => recordsWith(context, plain, 'title', title))
  const listed = found?.find((record) => record.title === title)
  if (typeof listed?.id !== 'string') return
  const viewed = recordOf(await api.view(plain, listed.id), 'a view by an id in capitals')
  expectEqual([viewed.id, viewed.title], [listed.id, title], 'id and title in a view by an id in capitals')
}
