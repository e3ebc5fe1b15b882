import { expect, it } from 'vitest'
import { mailboxSession } from '../../test/support/mailbox-session.ts'
import { clockPart } from '../judging/context/clock-part.ts'
import { mailPart } from '../judging/context/mail-part.ts'
import { UntestableError } from '../judging/expect.ts'
import type { Hook } from '../target/hook-server.ts'
import type { ApiResponse } from '../vocabulary/api.ts'
import type { ReceivedEmail } from '../vocabulary/target.ts'
import { withOtherProofs } from './other-proofs.ts'

const to = 'ann@example.com'
const link = (word: string) => `https://example.com/reset/${word}`
const [one, other, third] = ['0123456789abcdef01', '1123456789abcdef01', '2123456789abcdef01']

/** A server that sends the emails of a list at each request, and accepts some words. */
async function serverOf(
  accepts: readonly string[],
  emailsOf: (request: number) => { subject: string; text: string }[],
  {
    endsCodes = false,
    late = [] as { subject: string; text: string }[],
    needs = {} as Record<string, string>,
    says = '',
    saysMissing = false,
    session: given = { token: 't' } as Record<string, unknown>,
  } = {},
) {
  const mails: ReceivedEmail[] = []
  const deliver = (letters: { subject: string; text: string }[]) => {
    for (const letter of letters)
      mails.push({ number: mails.length + 1, to: [to], from: '', html: '', ...letter })
  }
  const mailbox: Hook = async ({ to: address, after, wait }) => {
    const news = () => mails.filter(({ number }) => address !== '' && number > Number(after))
    if (news().length === 0 && Number(wait) > 0) deliver(late.splice(0))
    return { count: mails.length, mails: news() }
  }
  const session = await mailboxSession(mailbox, { mail: { patience: 20, quiet: 10 } })
  const log: string[] = []
  const whole: string[] = []
  const spent = new Set<unknown>()
  let requests = 0
  const send = withOtherProofs(session, async (operation, { body }) => {
    const sent = JSON.parse(String(body)) as Record<string, string>
    if (operation?.startsWith('request') === true) {
      requests += 1
      deliver(emailsOf(requests))
      return responseOf(200, { otpId: `id-${requests}` })
    }
    const word = sent.token ?? sent.password ?? ''
    log.push(sent.otpId === undefined ? word : `${sent.otpId} ${word}`)
    const isWhole = Object.entries(needs).every(([key, value]) => sent[key] === value)
    const missing = Object.keys(needs).find((key) => !(key in sent))
    if (saysMissing && missing !== undefined) return responseOf(400, { message: `${missing} is required` })
    if (says !== '' && !isWhole) return responseOf(400, { message: says })
    const isRight = accepts.includes(word) && !spent.has(sent.otpId) && isWhole
    if (isWhole) whole.push(word)
    if (!isRight && endsCodes) spent.add(sent.otpId)
    return isRight ? responseOf(200, given) : responseOf(400, {})
  })
  const mail = mailPart(session, new AbortController().signal, { basis: 'implied' })
  session.check = 'a.check'
  return { session, log, whole, mail, ask: sender(send) }
}

const responseOf = (status: number, body: unknown) =>
  ({ status, ok: status < 300, body, headers: {}, text: '' }) as ApiResponse

const sender =
  (send: ReturnType<typeof withOtherProofs>) =>
  (operation: Parameters<typeof send>[0], body: Record<string, string>): Promise<ApiResponse> => {
    const text = JSON.stringify(body)
    return send(operation, { method: 'POST', path: '/', headers: {}, body: text }, text)
  }

async function reset({ ask, mail }: Awaited<ReturnType<typeof serverOf>>) {
  await ask('requestPasswordReset', { email: to })
  const token = mail.token(await mail.waitFor({ to }), 'password-reset')
  return { token, response: await ask('confirmPasswordReset', { token }) }
}

async function signIn({ ask, mail }: Awaited<ReturnType<typeof serverOf>>) {
  const after = await mail.count()
  const { body } = await ask('requestOtp', { email: to })
  const { otpId } = body as { otpId: string }
  const password = mail.code(await mail.waitFor({ to, after }))
  return { otpId, password, response: await ask('authWithOtp', { otpId, password }) }
}

it('tries the next email if the target rejects the word of the first, and sends that word from then on', async () => {
  const welcome = { subject: 'Verify', text: link(one) }
  const server = await serverOf([other], () => [welcome, { subject: 'Reset', text: link(other) }])
  const { token, response } = await reset(server)
  expect([token, response.ok]).toEqual([one, true])
  await server.ask('confirmPasswordReset', { token })
  expect(server.log).toEqual([one, other, other])
})

it('waits for an email that is still on the way', async () => {
  const late = [{ subject: 'Reset', text: link(other) }]
  const server = await serverOf([other], () => [{ subject: 'Verify', text: link(one) }], { late })
  expect((await reset(server)).response.ok).toBe(true)
})

it('passes over an email whose like was not about the request', async () => {
  const server = await serverOf([other, third], (request) => [
    { subject: 'Verify', text: link(one) },
    { subject: 'Reset', text: link(request === 1 ? other : third) },
  ])
  await reset(server)
  const after = await server.mail.count()
  await server.ask('requestPasswordReset', { email: to })
  expect((await server.mail.waitFor({ to, after })).subject).toBe('Reset')
})

it('tries the other words of an email, and remembers where the right one was', async () => {
  const text = (word: string) => `https://example.com/go?long=${one}${one}&k=${word}`
  const server = await serverOf([other, third], (request) => [
    { subject: 'Reset', text: text(request === 1 ? other : third) },
  ])
  expect((await reset(server)).response.ok).toBe(true)
  const after = await server.mail.count()
  await server.ask('requestPasswordReset', { email: to })
  expect(server.mail.token(await server.mail.waitFor({ to, after }), 'password-reset')).toBe(third)
})

it('returns the rejection of the only word, and notes that it was a guess', async () => {
  const server = await serverOf([], () => [{ subject: 'Reset', text: link(one) }])
  expect((await reset(server)).response.status).toBe(400)
  // The second time with the address.
  expect(server.log).toEqual([one, one])
  expect(server.session.proofs.doubtIn('a.check')).toBe('password-reset')
})

it('notes that an accepted word was the first of several: a server may accept any', async () => {
  const [text, only] = [`https://example.com/go?long=${one}${one}&k=${other}`, link(third)]
  const several = await serverOf([`${one}${one}`], () => [{ subject: 'Reset', text }])
  expect((await reset(several)).response.ok).toBe(true)
  expect(several.session.proofs.doubtIn('a.check')).toBe('password-reset')
  const single = await serverOf([third], () => [{ subject: 'Reset', text: only }])
  expect((await reset(single)).response.ok).toBe(true)
  expect(single.session.proofs.doubtIn('a.check')).toBeUndefined()
})

it('returns the rejection if each likely word was rejected', async () => {
  const server = await serverOf([], () => [{ subject: 'Reset', text: `${link(one)} ${link(other)}` }])
  expect((await reset(server)).response.status).toBe(400)
})

it('judges nothing if there are more likely words than it tries', async () => {
  const words = Array.from({ length: 9 }, (_, at) => link(`${at}123456789abcdef01`))
  const server = await serverOf([], () => [{ subject: 'Reset', text: words.join(' ') }])
  await expect(reset(server)).rejects.toThrow(UntestableError)
  expect(server.log).toHaveLength(7)
})

it('tries a word with a new code, since the wrong one may have ended the first', async () => {
  const text = 'Number 987654321\n\nPlease use 12345 to sign in.'
  const server = await serverOf(['12345'], () => [{ subject: 'Code', text }], { endsCodes: true })
  const { otpId, password, response } = await signIn(server)
  expect(response.ok).toBe(true)
  await server.ask('authWithOtp', { otpId, password })
  expect(server.log).toEqual(['id-1 987654321', 'id-1 12345', 'id-2 12345', 'id-2 12345'])
})

it.each([
  { access_token: 'abc', token_type: 'bearer', expires_in: 3600, user: { id: 'u' } },
  { session: { accessToken: 'abc' } },
])('takes a session with a token of another name for an acceptance: %j', async (session) => {
  const text = 'Your code is: ABCD-2345'
  const server = await serverOf(['ABCD-2345'], () => [{ subject: 'Code', text }], { session })
  const { otpId, password, response } = await signIn(server)
  expect(response.ok).toBe(true)
  await server.ask('authWithOtp', { otpId, password })
  expect(server.log).toEqual(['id-1 ABCD-2345', 'id-1 ABCD-2345'])
})

it('leaves a code alone that is sent with the identifier of another one', async () => {
  const server = await serverOf([], () => [{ subject: 'Code', text: 'Code: 12345. Number 987654321' }])
  const { password } = await signIn(server)
  server.log.length = 0
  await server.ask('authWithOtp', { otpId: 'of another', password })
  expect(server.log).toEqual([`of another ${password}`])
})

it('requests no new code when time has passed on purpose: the code may have ended', async () => {
  const text = 'Number 987654321\n\nPlease use 12345 to sign in.'
  const server = await serverOf([], () => [{ subject: 'Code', text }])
  await server.ask('requestOtp', { email: to })
  const password = server.mail.code(await server.mail.waitFor({ to }))
  await clockPart(server.session, new AbortController().signal).pass(0)
  expect((await server.ask('authWithOtp', { otpId: 'id-1', password })).status).toBe(400)
  expect(server.log.filter((each) => !each.startsWith('id-1'))).toEqual([])
})

it('leaves a proof alone after a newer request: that may have ended it', async () => {
  const server = await serverOf([other], (request) => [
    { subject: 'Reset', text: link(request === 1 ? one : other) },
  ])
  await server.ask('requestPasswordReset', { email: to })
  const token = server.mail.token(await server.mail.waitFor({ to }), 'password-reset')
  await server.ask('requestPasswordReset', { email: to })
  expect((await server.ask('confirmPasswordReset', { token })).status).toBe(400)
  expect(server.log).toEqual([one])
})

it('judges nothing of a proof after a newer request, whatever the words of its email', async () => {
  const server = await serverOf([], () => [{ subject: 'Reset', text: `${link(one)} ${link(other)} 12345` }])
  await server.ask('requestPasswordReset', { email: to })
  const token = server.mail.token(await server.mail.waitFor({ to }), 'password-reset')
  await server.ask('requestPasswordReset', { email: to })
  expect((await server.ask('confirmPasswordReset', { token })).status).toBe(400)
})

it('sends no proof of an email that is written otherwise, once it knows those of a kind', async () => {
  const server = await serverOf([one, third], (request) => [
    { subject: 'Reset', text: link(request === 1 ? one : other) },
    ...(request === 2
      ? [{ subject: 'Was it you?', text: `Undo it: https://example.com/undo?token=${third}` }]
      : []),
  ])
  await reset(server)
  const after = await server.mail.count()
  await server.ask('requestPasswordReset', { email: to })
  const token = server.mail.token(await server.mail.waitFor({ to, after }), 'password-reset')
  expect((await server.ask('confirmPasswordReset', { token })).status).toBe(400)
})

/** Longer than the proof, as in a link of Django where ids are UUIDs. */
const uid = 'ZjdjOGE1ZTItMWI0ZC00YzNhLTllOGYtN2E2YjVjNGQzZTJm'

it('tries each word with the part of the link that stands before it', async () => {
  const text = `https://example.com/reset/${uid}/${one}/`
  const options = { needs: { uid }, says: 'uid is required' }
  const server = await serverOf([one], () => [{ subject: 'Reset', text }], options)
  const { token, response } = await reset(server)
  expect([token, response.ok, server.whole]).toEqual([uid, true, [one]])
  expect((await reset(server)).response.ok).toBe(true)
})

const userLink = `https://example.com/reset?userId=u-42&secret=${one}`

it.each([
  ['another parameter of the link', userLink, { userId: 'u-42' }, 'userId is required'],
  ['the address', link(one), { email: to }, 'The email field is required.'],
  ['the address, without saying so', link(one), { email: to }, ''],
])('sends %s together with the proof', async (_, text, needs, says) => {
  const server = await serverOf([one], () => [{ subject: 'Reset', text }], { needs, says })
  expect((await reset(server)).response.ok).toBe(true)
  // Known from now on, for the next proof and for a forged one.
  const sent = server.log.length
  const { token } = await reset(server)
  expect((await server.ask('confirmPasswordReset', { token: `${token}x` })).ok).toBe(false)
  expect(server.log.length).toBe(sent + 2)
  expect(server.whole).toEqual([one, one, `${one}x`])
})

it('sends the parts that rejections name one after the other', async () => {
  const text = `https://example.com/reset?expires=1700000000&secret=${one}&signature=5f2c`
  const server = await serverOf([one], () => [{ subject: 'Reset', text }], {
    needs: { expires: '1700000000', signature: '5f2c' },
    saysMissing: true,
  })
  expect((await reset(server)).response.ok).toBe(true)
  expect(server.whole).toEqual([one])
})

it('asks for nothing more where the target claims the profile', async () => {
  const server = await serverOf([one], () => [{ subject: 'Reset', text: userLink }], {
    needs: { userId: 'u-42' },
    says: 'userId is required',
  })
  server.session.target.profile = 'standard'
  expect((await reset(server)).response.ok).toBe(false)
  expect(server.whole).toEqual([])
})
