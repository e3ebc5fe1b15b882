import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/** An update that sends another id does not change the id: it may be rejected, or ignore the key. */
export async function expectIdKept({ api, make, table, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const { id } = await make(plain, { title: unique('kept') })
  await api.update(plain, id, { id: newId(unique), title: unique('moved') })
  const viewed = recordOf(await api.view(plain, id), 'a view after an update that sends another id')
  expectEqual(viewed.id, id, 'the id after an update that sends another id')
}
