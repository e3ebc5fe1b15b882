import { expect, it } from 'vitest'
import { mailboxSession } from '../../test/support/mailbox-session.ts'
import type { Target } from '../vocabulary/target.ts'
import { mailboxOf } from './target-mailbox.ts'

async function waitsForOneMore(mail: Target['mail']): Promise<unknown[]> {
  const waits: unknown[] = []
  const session = await mailboxSession(
    async ({ wait }) => {
      waits.push(wait)
      return { count: 1, mails: [] }
    },
    { mail },
  )
  const mailbox = mailboxOf(session)
  for (const to of ['a', 'b', 'c']) await mailbox.oneMore(to, 1)
  return waits
}

it('waits for one more email as long as for the first one, at most twice in vain', async () => {
  expect(await waitsForOneMore({ patience: 700 })).toEqual([700, 700, 150])
})

it('waits for one more email as long as the target file says', async () => {
  expect(await waitsForOneMore({ patience: 700, quiet: 40 })).toEqual([40, 40, 40])
})
