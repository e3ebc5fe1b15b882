import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Requirement } from '../../../spec/vocabulary.ts'
import { mailboxSession } from '../../../test/support/mailbox-session.ts'
import { mailboxOf } from '../../services/target-mailbox.ts'
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
  const parts = (basis: Requirement['basis'] = 'implied') =>
    mailPart(session, new AbortController().signal, { basis })
  return { mail: parts(), later: parts(), ofProfile: parts('profile'), waits }
}

it('waits for an email as long as the target file says', async () => {
  const { mail, waits } = await mailOf(7_000, { mail: { patience: 6_500 } })
  await expect(mail.waitFor({ to: 'a' })).rejects.toThrow('no email to a arrived within 6500 ms')
  // The last question is whether the account got one before.
  expect(waits).toEqual([6_500, 0])
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

it.each([
  ['a proof', 'https://app.example.com/verify?token=4f2a9c1b4f2a9c1b4f2a9c1b', UntestableError],
  ['a welcome', 'https://app.example.com/help/getting-started', ExpectationError],
])('an account that got %s before, and no email that was asked for', async (_, text, error) => {
  const sent = { number: 1, to: ['ann'], from: '', subject: '', text, html: '' }
  const mailbox: Hook = async ({ to, after }) => ({
    count: 1,
    mails: to === 'ann' && Number(after) < 1 ? [sent] : [],
  })
  const session = await mailboxSession(mailbox, { mail: { patience: 20 } })
  const mail = mailPart(session, new AbortController().signal, { basis: 'implied' })
  await expect(mail.waitFor({ to: 'ann', after: 1 })).rejects.toThrow(error)
  await expect(mail.waitFor({ to: 'new', after: 1, owner: 'ann' })).rejects.toThrow(error)
  await expect(mail.waitFor({ to: 'new', after: 1 })).rejects.toThrow(ExpectationError)
})

it('says nothing of a server that sends a first email of a check, and no further one', async () => {
  const { mail, later } = await mailOf(0)
  await mail.waitFor({ to: 'a' })
  await expect(mail.waitFor({ to: 'nobody' })).rejects.toThrow(UntestableError)
  await expect(later.waitFor({ to: 'nobody' })).rejects.toThrow(ExpectationError)
})

it('expects every email that the profile describes', async () => {
  const { ofProfile } = await mailOf(0)
  await ofProfile.waitFor({ to: 'a' })
  await expect(ofProfile.waitFor({ to: 'nobody' })).rejects.toThrow(ExpectationError)
})

describe('another email', () => {
  /** A mailbox with these emails. The target has accepted the proof of the first one. */
  async function afterFirst(...texts: string[]) {
    const emails = texts.map((text, at) => ({
      number: at + 1,
      to: ['a'],
      from: '',
      subject: text.split(' ')[0] ?? '',
      text,
      html: '',
    }))
    const waits: unknown[] = []
    const session = await mailboxSession(async ({ after, wait }) => {
      waits.push(wait)
      return {
        count: emails.length,
        mails: emails.filter(({ number }) => number > Number(after)).slice(0, 1),
      }
    })
    const { proofs } = session
    const [first] = emails
    if (first === undefined) throw new Error('the mailbox is empty')
    const read = mailboxOf(session).read(first, 'code')
    const [candidate] = read.candidates
    if (candidate === undefined) throw new Error('the first email has no code')
    const { word } = candidate
    const taken = {
      ...read,
      kind: 'code',
      word,
      isGuess: true,
      to: 'a',
      after: 0,
      request: undefined,
    } as const
    proofs.accept(taken, read, candidate, undefined)
    const mail = mailPart(session, new AbortController().signal, { basis: 'implied' })
    return { another: () => mail.another({ to: 'a', after: 1, kind: 'code' }), waits }
  }

  it('is not expected, and takes only a short wait', async () => {
    const { another, waits } = await afterFirst('Code 123456')
    expect(await another()).toBeUndefined()
    expect(waits).toEqual([150])
  })

  it('is like one whose proof was accepted, whatever comes before it', async () => {
    const { another } = await afterFirst('Code 123456', 'Notice of an attempt', 'Code 654321')
    expect(await another()).toMatchObject({ text: 'Code 654321' })
  })

  it('is not one of another kind', async () => {
    const { another } = await afterFirst('Code 123456', 'Notice of an attempt')
    expect(await another()).toBeUndefined()
  })
})
