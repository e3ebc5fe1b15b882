/**
 * An SMTP server on loopback that stores emails: a target sends them here, and checks read them. Codes and links are
 * read from the content after its transfer encoding is decoded.
 *
 * @module
 */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import PostalMime from 'postal-mime'
import { SMTPServer, type SMTPServerDataStream } from 'smtp-server'
import type { ReceivedEmail } from '../vocabulary/target.ts'

export interface SinkQuery {
  /** Envelope recipient, compared case-insensitively. */
  to: string
  /** Only emails with a higher number: read `sink.count` before the request that causes the email. */
  after?: number
  /** Milliseconds. @default 5000 */
  timeout?: number
}

export interface MailSink {
  host: string
  port: number
  /** Number of emails received so far, including those that are no longer kept. */
  readonly count: number
  /** The newest 2,000, and no more than 32 million characters together, oldest first. */
  readonly emails: readonly ReceivedEmail[]
  /** The next email to a recipient. @throws EmailMissing if none arrives in time. */
  waitFor(query: SinkQuery): Promise<ReceivedEmail>
  /** True if no email to a recipient arrives within `quiet` milliseconds: then none was sent. */
  staysSilent(query: SinkQuery & { quiet: number }): Promise<boolean>
  /** Calls back for every email that arrives from now on, with its raw content. */
  onMail(listener: EmailListener): void
  stop(): Promise<void>
}

export type EmailListener = (mail: { raw: Buffer; to: readonly string[]; from: string }) => void

export class EmailMissing extends Error {
  override name = 'EmailMissing'
}

const DEFAULT_TIMEOUT = 5000

/** Maximum number of emails; the oldest is dropped. */
const kept = 2_000
/** Maximum total length of the kept emails, in characters. */
const keptCharacters = 32_000_000

/** Starts a sink on a free loopback port. It accepts every sender, recipient, username and password, without TLS. */
export async function startMailSink(port = 0): Promise<MailSink> {
  const emails: ReceivedEmail[] = []
  let count = 0
  let characters = 0
  const waiting = new Set<() => void>()
  const listeners: EmailListener[] = []

  async function receive(stream: SMTPServerDataStream, to: string[], from: string): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of stream) chunks.push(chunk as Buffer)
    const raw = Buffer.concat(chunks)
    const parsed = await PostalMime.parse(raw)
    const { subject = '', text = '', html = '' } = parsed
    count += 1
    emails.push({ number: count, to, from, subject, text, html })
    characters += text.length + html.length
    while (emails.length > 1 && (emails.length > kept || characters > keptCharacters)) {
      const oldest = emails.shift()
      if (oldest !== undefined) characters -= oldest.text.length + oldest.html.length
    }
    for (const wake of [...waiting]) wake()
    for (const listener of listeners) listener({ raw, to, from })
  }

  const server = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    authMethods: ['PLAIN', 'LOGIN'],
    allowInsecureAuth: true,
    // A server keeps the username and password of its usual mail server.
    onAuth: (_auth, _session, done) => done(null, { user: 'any' }),
    // An email must not wait for the reverse lookup of the peer's name.
    disableReverseLookup: true,
    // A server that keeps its connection open for the next email would delay the end of the run.
    closeTimeout: 100,
    onData(stream, session, done) {
      const { mailFrom, rcptTo } = session.envelope
      const to = rcptTo.map((recipient) => recipient.address)
      receive(stream, to, mailFrom === false ? '' : mailFrom.address).then(() => done(), done)
    },
  })
  server.on('error', () => {
    // A peer that drops its connection is not an error of ours, and no accepted email is lost.
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')

  function find({ to, after = 0 }: SinkQuery): ReceivedEmail | undefined {
    const wanted = to.toLowerCase()
    return emails.find(
      (mail) => mail.number > after && mail.to.some((address) => address.toLowerCase() === wanted),
    )
  }

  function arrival(query: SinkQuery, patience: number): Promise<ReceivedEmail | undefined> {
    return new Promise((resolve) => {
      const settle = (mail: ReceivedEmail | undefined) => {
        clearTimeout(timer)
        waiting.delete(look)
        resolve(mail)
      }
      const look = () => {
        const mail = find(query)
        if (mail) settle(mail)
      }
      const timer = setTimeout(settle, patience, undefined)
      waiting.add(look)
      look()
    })
  }

  return {
    host: '127.0.0.1',
    port: (server.server.address() as AddressInfo).port,
    get count() {
      return count
    },
    emails,
    async waitFor(query) {
      const patience = query.timeout ?? DEFAULT_TIMEOUT
      const mail = await arrival(query, patience)
      if (!mail)
        throw new EmailMissing(`No email for ${query.to} arrived at the mail sink within ${patience} ms.`)
      return mail
    },
    async staysSilent(query) {
      return (await arrival(query, query.quiet)) === undefined
    },
    onMail(listener) {
      listeners.push(listener)
    },
    async stop() {
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
