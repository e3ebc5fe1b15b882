import type { WireRecord } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { recordOf } from '../../shared/records/record-of.ts'
import { unlessPrevented } from '../../shared/unless-prevented.ts'

/**
 * Records as a view shows them after an update and after a create that send a value for a field which the server sets.
 * Such a write may be rejected, and its value may be ignored: what the field then shows still has the documented form.
 */
export async function* shapesAfterSetting(
  context: CheckContext,
  field: string,
  values: readonly string[],
): AsyncGenerator<{ record: WireRecord; from: string }> {
  const { api, created, make, table, unique } = context
  const plain = table('plain')
  const made = await unlessPrevented(() => make(plain, { title: unique('set') }))
  for (const value of values) {
    if (made !== undefined && (await api.update(plain, made.id, { [field]: value })).ok) {
      const view = await api.view(plain, made.id)
      if (view.ok) yield { record: recordOf(view), from: `a view after an update that sends ${value}` }
    }
    const response = await api.create(plain, { title: unique('set'), [field]: value })
    const record = response.ok ? await unlessPrevented(() => created(plain, response)) : undefined
    const view = record && (await api.view(plain, record.id))
    if (view?.ok) yield { record: recordOf(view), from: `a view after a create that sends ${value}` }
  }
}
