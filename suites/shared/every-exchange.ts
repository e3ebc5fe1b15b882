/** What checks about every exchange do: they send the ordinary ones first, so that each means something when it runs alone. */

import { ExpectationError } from '../../harness/judging/expect.ts'
import type { CheckContext } from '../../harness/vocabulary/check.ts'

/** What a browser accepts, and what some clients do: every body is JSON nevertheless (document, section 1). */
const otherTypes = ['text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8', 'application/xml']

/** One request of each record operation, and a rejected one. Other checks judge the content of the responses. */
async function ordinaryTraffic({ api, table, make, unique }: CheckContext): Promise<void> {
  const plain = table('plain')
  const record = await make(plain, { title: unique('wire') })
  await api.list(plain)
  await api.view(plain, record.id)
  await api.update(plain, record.id, { title: unique('wire') })
  for (const accept of otherTypes)
    await api.raw({ method: 'GET', path: api.path.record(plain, record.id), headers: { accept } })
  await api.delete(plain, record.id)
  await api.view(plain, record.id)
  for (const accept of otherTypes)
    await api.raw({ method: 'GET', path: api.path.record(plain, record.id), headers: { accept } })
}

/** The first exchange of the session that breaks the requirement makes it fail. */
export function nothingSeen({ id, traffic }: CheckContext): void {
  const [violation] = traffic.violations(id)
  if (violation === undefined) return
  const { message, expected, received, exchange, during } = violation
  throw new ExpectationError(message, expected, received, {
    exchanges: [exchange],
    ...(during !== undefined && during !== id && { seenIn: during }),
  })
}

export async function everyExchange(context: CheckContext): Promise<void> {
  await ordinaryTraffic(context)
  nothingSeen(context)
}
