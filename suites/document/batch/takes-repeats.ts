import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import { subRequests } from '../../shared/batch/entries.ts'

type Given = Pick<CheckContext, 'api' | 'table' | 'unique' | 'make' | 'once'>

/** Whether a batch may write one record twice, which is left open (8): tried once a run. */
export function takesRepeats({ api, table, unique, make, once }: Given): Promise<boolean> {
  return once('a batch that writes a record twice', async () => {
    const plain = table('plain')
    const { update } = subRequests(api)
    const { id } = await make(plain, { title: unique('twice') })
    const steps = [1, 2].map(() => update(plain, id, { title: unique('twice') }))
    return (await api.batch(steps)).ok
  })
}
