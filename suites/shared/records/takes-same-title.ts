import type { CheckContext } from '../../../harness/vocabulary/check.ts'

type Given = Pick<CheckContext, 'api' | 'table' | 'unique' | 'make' | 'once'>

/** Whether two records of `plain` may have the same title, which is left open: tried once a run. */
export function takesSameTitle({ api, table, unique, make, once }: Given): Promise<boolean> {
  return once('two records with the same title', async () => {
    const title = unique('same')
    await make(table('plain'), { title })
    return (await api.create(table('plain'), { title })).ok
  })
}
