import { createTransport } from 'nodemailer'
import { afterEach, describe, expect, test } from 'vitest'
import { emailedCode, emailedToken } from './email-reading.ts'
import { EmailMissing, type MailSink, startMailSink } from './mail-sink.ts'

const token = `${'a'.repeat(20)}.${'b-_'.repeat(40)}.${'c'.repeat(43)}`
let sink: MailSink | undefined

afterEach(async () => sink?.stop())

async function send(to: string, html: string): Promise<MailSink> {
  sink = await startMailSink()
  const transport = createTransport({ host: sink.host, port: sink.port, secure: false, ignoreTLS: true })
  await transport.sendMail({
    from: 'Sender <from@example.com>',
    to,
    subject: 'Grüße',
    html,
    text: html.replace(/<[^>]*>/g, ''),
  })
  transport.close()
  return sink
}

describe('mail sink', () => {
  test.each(['PLAIN', 'LOGIN'])('accepts an email from a server that signs in by %s', async (authMethod) => {
    sink = await startMailSink()
    const transport = createTransport({
      host: sink.host,
      port: sink.port,
      secure: false,
      ignoreTLS: true,
      auth: { user: 'app', pass: 'secret1' },
      authMethod,
    })
    await transport.sendMail({ from: 'a@example.com', to: 'b@example.com', subject: 'x', text: 'y' })
    transport.close()
    expect(sink.count).toBe(1)
  })

  test('stores an email decoded', async () => {
    const { waitFor } = await send(
      'Ann@example.com',
      `<p>Hallo</p><a href="http://app.test/_/#/auth/confirm-verification/${token}">go</a>`,
    )
    const mail = await waitFor({ to: 'ann@example.com' })
    expect(mail).toMatchObject({
      number: 1,
      to: ['Ann@example.com'],
      from: 'from@example.com',
      subject: 'Grüße',
    })
    expect(emailedToken(mail, 'verification')).toBe(token)
  })

  test('finds a code next to a host and a port', async () => {
    const { waitFor } = await send(
      'ann@example.com',
      '<p>From http://127.0.0.1:80901/ your one-time password is: <strong>004217</strong></p>',
    )
    const mail = await waitFor({ to: 'ann@example.com' })
    expect(emailedCode(mail)).toBe('004217')
    expect(emailedCode(mail, { length: 6 })).toBe('004217')
    expect(emailedCode(mail, { length: 8 })).toBeUndefined()
  })

  test('keeps the newest emails, no more than 32 million characters, and counts all', async () => {
    const sent = await send('first@example.com', '<p>first</p>')
    const transport = createTransport({ host: sent.host, port: sent.port, secure: false, ignoreTLS: true })
    const html = `<p>${'text '.repeat(1_000_000)}</p>`
    for (let number = 2; number <= 9; number++)
      await transport.sendMail({ from: 'a@example.com', to: `to${number}@example.com`, subject: '', html })
    transport.close()
    expect(sent.count).toBe(9)
    expect(sent.emails.length).toBeLessThan(9)
    expect(sent.emails.at(-1)).toMatchObject({ number: 9, to: ['to9@example.com'] })
    expect(await sent.waitFor({ to: 'to9@example.com', after: 8 })).toMatchObject({ number: 9 })
  })

  test('reports who received no email', async () => {
    const { waitFor, staysSilent, count } = await send('ann@example.com', '<p>hi</p>')
    await expect(waitFor({ to: 'bob@example.com', timeout: 20 })).rejects.toThrow(EmailMissing)
    await expect(waitFor({ to: 'ann@example.com', after: count, timeout: 20 })).rejects.toThrow(
      /ann@example.com/,
    )
    expect(await staysSilent({ to: 'bob@example.com', quiet: 20 })).toBe(true)
    expect(await staysSilent({ to: 'ann@example.com', quiet: 20 })).toBe(false)
  })
})
