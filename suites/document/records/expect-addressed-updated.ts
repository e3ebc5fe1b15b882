import { expectEqual } from '../../../harness/judging/expect.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'

/**
 * The path says which record an update changes. An id in the body that differs from it may be ignored or rejected, but does
 * not lead to the record that has it.
 */
export async function expectAddressedUpdated({ api, make, table, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const [one, other] = [
    await make(plain, { title: unique('one') }),
    await make(plain, { title: unique('other') }),
  ]
  const title = async () => recordOf(await api.view(plain, other.id), 'a view of another record').title
  const before = await title()
  await api.update(plain, one.id, { id: other.id, title: unique('changed') })
  expectEqual(
    await title(),
    before,
    'the title of the record whose id was in the body of an update of another one',
  )
}
