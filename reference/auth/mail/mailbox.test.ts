import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { SMTPServer } from 'smtp-server'
import { expect, onTestFinished, test, vi } from 'vitest'
import { createReference } from '../../reference.ts'
import { createMailbox, type SentEmail, smtpDelivery } from './mailbox.ts'

const mail = (number: number): SentEmail => ({
  kind: 'otp',
  to: `${number}@example.com`,
  subject: '',
  html: '',
  text: '',
  sentAt: 0,
})

test.each(['request-otp', 'request-verification', 'request-password-reset'])(
  'the email of %s is in the outbox when the response is there',
  async (path) => {
    const reference = createReference({
      tables: [{ name: 'users', type: 'auth', otp: { enabled: true } }],
      records: { users: [{ email: 'ann@example.com', password: 'secret1234' }] },
    })
    const request = (email: string) =>
      reference.fetch(`/api/v1/collections/users/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ email }),
      })
    await request('ann@example.com')
    expect(reference.mail.outbox.map(({ to }) => to)).toEqual(['ann@example.com'])
    await request('nowhere@example.com')
    expect(reference.mail.outbox).toHaveLength(1)
    // Throttled less than a second after the first one.
    reference.clock.advance('10m')
    await request('ann@example.com')
    const newest = reference.mail.outbox.at(-1)
    expect(reference.mail.outbox).toHaveLength(2)
    expect(await reference.mail.waitFor()).toBe(newest)
    reference.clock.advance('10m')
    await request('ann@example.com')
    reference.mail.clear()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(reference.mail.outbox).toEqual([])
  },
)

test('the outbox keeps only the newest emails', async () => {
  const { outbox, send, waitFor } = createMailbox()
  for (let number = 1; number <= 1500; number++) await send(mail(number))
  expect([outbox.length, outbox[0]?.to, outbox.at(-1)?.to]).toEqual([
    1000,
    '501@example.com',
    '1500@example.com',
  ])
  expect((await waitFor()).to).toBe('1500@example.com')
})

test('the outbox holds 16 million characters at most, and the newest email however long', async () => {
  const { outbox, send, clear } = createMailbox()
  const long = { ...mail(1), html: 'x'.repeat(1_000_000) }
  for (let number = 1; number <= 30; number++) await send({ ...long, to: `${number}@example.com` })
  expect([outbox.length, outbox[0]?.to]).toEqual([16, '15@example.com'])
  await send({ ...long, html: 'x'.repeat(20_000_000) })
  expect(outbox.length).toBe(1)
  clear()
  for (let number = 1; number <= 16; number++) await send(long)
  expect(outbox.length).toBe(16)
})

test('no more than 2,000 emails wait for an SMTP server that does not take them', async () => {
  const silent = createServer(() => {}).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const sender = { appName: 'a', appURL: 'http://a', senderName: 's', senderAddress: 's@example.com' }
  const { deliver, close } = smtpDelivery({ host: '127.0.0.1', port }, sender)
  const waiting = Array.from({ length: 2_000 }, (_, number) => deliver(mail(number)).catch(() => {}))
  await expect(deliver(mail(2_001))).rejects.toThrow(/2000 emails wait for the SMTP server at 127.0.0.1/)
  await close()
  silent.close()
  expect(waiting).toHaveLength(2_000)
})

test('reports in one line which email an SMTP server did not accept', async () => {
  const sink = new SMTPServer({
    logger: false,
    authOptional: true,
    disableReverseLookup: true,
    onRcptTo: (_address, _session, done) => done(new Error('no such mailbox')),
  })
  sink.listen(0, '127.0.0.1')
  await once(sink.server, 'listening')
  onTestFinished(() => void sink.close())
  const { port } = sink.server.address() as AddressInfo
  const printed = vi.spyOn(console, 'error').mockReturnValue()
  onTestFinished(() => printed.mockRestore())
  await using reference = createReference({
    tables: [{ name: 'users', type: 'auth', createRule: '' }],
    mail: { smtp: { host: '127.0.0.1', port } },
    records: { users: [{ email: 'ann@example.com', password: 'secret1234' }] },
  })
  const body = JSON.stringify({ email: 'ann@example.com' })
  const headers = { 'content-type': 'application/json' }
  const path = '/api/v1/collections/users/request-password-reset'
  await reference.fetch(path, { method: 'POST', headers, body })
  await vi.waitFor(() => expect(printed).toHaveBeenCalled(), 10_000)
  expect(printed.mock.calls[0]?.[0]).toMatch(
    /^The email ".+" to ann@example\.com was not sent: .*no such mailbox$/,
  )
})
