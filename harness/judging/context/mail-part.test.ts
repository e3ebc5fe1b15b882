import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { mailboxSession } from '../../../test/support/mailbox-session.ts'
import type { Hook } from '../../target/hook-server.ts'
import type { Target } from '../../vocabulary/target.ts'
import { ExpectationError, UntestableError } from '../expect.ts'
import { mailPart } from './mail-part.ts'

/** A mailbox in which each email takes a set time. Records how long it was asked to wait. */
async function mailOf(takes: number, more: Partial<Target> = {}) {
  const waits: unknown[] = []
  const mailbox: Hook = async ({ to, wait }) => {
    waits.push(wait)
    const comes = to !== 'nobody' && takes <= Number(wait)
    if (comes) await sleep(takes)
    return {
      count: 1,
      mails: comes ? [{ number: 1, to: [to], from: '', subject: '', text: '', html: '' }] : [],
    }
  }
  const session = await mailboxSession(mailbox, more)
  const parts = () => mailPart(session, new AbortController().signal)
  return { mail: parts(), later: parts(), waits }
}

it('waits for an email as long as the target file says', async () => {
  const { mail, waits } = await mailOf(7_000, { mail: { patience: 6_500 } })
  await expect(mail.waitFor({ to: 'a' })).rejects.toThrow('no email to a arrived within 6500 ms')
  expect(waits).toEqual([6_500])
})

it('waits for the absence of an email as long as the target file says', async () => {
  const { mail, waits } = await mailOf(0, { mail: { quiet: 40 } })
  expect(await mail.silent({ to: 'nobody' })).toBe(true)
  expect(waits).toEqual([40])
})

it('by default waits five seconds for an email, and a short while for its absence', async () => {
  const { mail, waits } = await mailOf(0)
  expect(await mail.silent({ to: 'nobody' })).toBe(true)
  await mail.waitFor({ to: 'a' })
  expect(waits).toEqual([150, 5_000])
})

it('waits longer for the absence of an email if emails take longer, also in later checks', async () => {
  const { mail, later, waits } = await mailOf(200)
  await mail.waitFor({ to: 'a' })
  await mail.silent({ to: 'nobody' })
  await later.silent({ to: 'nobody' })
  for (const wait of waits.slice(1)) expect(wait).toBeGreaterThanOrEqual(590)
  expect(waits).toHaveLength(3)
})

it('says nothing of a server that sends a first email of a check, and no further one', async () => {
  const { mail, later } = await mailOf(0)
  await mail.waitFor({ to: 'a' })
  await expect(mail.waitFor({ to: 'nobody' })).rejects.toThrow(UntestableError)
  await expect(later.waitFor({ to: 'nobody' })).rejects.toThrow(ExpectationError)
})
