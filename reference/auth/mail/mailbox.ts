/**
 * Delivers emails: always to a mailbox in memory, and also to an SMTP server if one is configured.
 *
 * @module
 */

import { didYouMean } from '../../../spec/nearest.ts'
import { rejectUnknown } from '../../../spec/reject-unknown.ts'
import { timers, waitingTime } from '../../environment/timers.ts'
import { withCallSite } from '../../environment/with-call-site.ts'
import { checkString } from '../../state/check-values.ts'
import { type EmailKind, emailKinds, type MailSender } from './template.ts'

/** One email as its recipient reads it, together with what tests look for: the code, the token and the link. */
export interface SentEmail {
  /** What it is for. */
  kind: EmailKind
  /** Address of the recipient. */
  to: string
  /** Subject line. */
  subject: string
  /** Body as HTML. */
  html: string
  /** Body as plain text. */
  text: string
  /** Milliseconds since the epoch, by the reference's clock. */
  sentAt: number
  /** The one-time code, for kind `otp`. */
  code?: string
  /** The token of the link, for the kinds that confirm something. */
  token?: string
  /** The link that holds the token. */
  link?: string
}

/** Which emails. All given properties must match. */
export interface EmailFilter {
  /** Address of the recipient. @default any */
  to?: string | undefined
  /** What it is for. @default anything */
  kind?: EmailKind | undefined
}

/** An SMTP server. */
export interface SmtpOptions {
  /** Name or address. */
  host: string
  /** Port number. */
  port: number
  /** Name to sign in with. @default no sign-in */
  username?: string | undefined
  /** Password to sign in with. @default '' with a username */
  password?: string | undefined
  /** Connects with TLS from the start. @default false */
  tls?: boolean | undefined
}

/** Delivers an email. @throws Error if it could not be delivered */
export type Deliver = (mail: SentEmail) => Promise<void>

/** Emails that a reference has sent. */
export interface Mailbox {
  /**
   * The newest 1,000, and no more than 16 million characters together, oldest first. Those of a request are there when
   * `reference.fetch` resolves, unless an SMTP server takes them first. Over a socket, use `waitFor`.
   */
  readonly outbox: readonly SentEmail[]
  /**
   * The newest matching email that no earlier call returned, or the next one to arrive. Rejects if none arrives in
   * time, and with a TypeError for an unknown option or kind.
   */
  waitFor(
    filter?: EmailFilter & {
      /** Milliseconds. @default 1000 */
      timeout?: number | undefined
    },
  ): Promise<SentEmail>
  /** Empties the outbox. Emails that are still being delivered will not appear in it. */
  clear(): void
}

/** The mailbox with the method that the server writes with. */
export interface WritableMailbox extends Mailbox {
  /** Adds an email to the outbox, and sends it to the SMTP server if there is one. */
  send(mail: SentEmail): Promise<void>
}

/** Emails in the outbox; the oldest is dropped first. */
const kept = 1000

/** Characters of the emails in the outbox: a template may contain a field with a long string. */
const keptCharacters = 16_000_000

const sizeOf = ({ html, text, subject }: SentEmail) => html.length + text.length + subject.length

function fits(mail: SentEmail, { to, kind }: EmailFilter): boolean {
  return (to === undefined || mail.to === to) && (kind === undefined || mail.kind === kind)
}

function noKind(kind: string): Error {
  return new TypeError(
    `"${String(kind)}" is not a kind of email.${didYouMean(String(kind), emailKinds)} Valid values: ${emailKinds.join(', ')}.`,
  )
}

/** Most emails that a message lists. */
const mostListed = 20

/** For the message about an email that did not arrive: what there is instead, newest last. */
export function outboxText(outbox: readonly SentEmail[]): string {
  const listed = outbox.slice(-mostListed).map((mail) => `${mail.kind} to ${mail.to}`)
  const more = outbox.length > mostListed ? ` (and ${outbox.length - mostListed} before)` : ''
  return `The outbox holds: ${listed.join(', ') || 'nothing'}${more}.`
}

/** An empty mailbox. `deliver` runs first: if it fails, the email is not added to the outbox. */
export function createMailbox(deliver?: Deliver): WritableMailbox {
  const outbox: SentEmail[] = []
  const taken = new WeakSet<SentEmail>()
  const waiting = new Set<() => void>()
  let clearings = 0
  let characters = 0

  const take = (filter: EmailFilter): SentEmail | undefined => {
    const mail = outbox.findLast((one) => !taken.has(one) && fits(one, filter))
    if (mail) taken.add(mail)
    return mail
  }

  return {
    outbox,
    async send(mail) {
      const before = clearings
      await deliver?.(mail)
      if (clearings !== before) return
      outbox.push(mail)
      characters += sizeOf(mail)
      while (outbox.length > 1 && (outbox.length > kept || characters > keptCharacters)) {
        const oldest = outbox.shift()
        if (oldest !== undefined) characters -= sizeOf(oldest)
      }
      for (const wake of [...waiting]) wake()
    },
    waitFor: withCallSite(async (filter: Parameters<Mailbox['waitFor']>[0] = {}) => {
      rejectUnknown(filter, ['to', 'kind', 'timeout'], 'option of mail.waitFor')
      const { kind, to } = filter
      if (to !== undefined) checkString('"to" of mail.waitFor', to)
      if (kind !== undefined && !emailKinds.includes(kind)) throw noKind(kind)
      const patience = waitingTime(filter.timeout, 'mail.waitFor')
      return new Promise<SentEmail>((resolve, reject) => {
        const give = () => {
          const mail = take(filter)
          if (!mail) return
          timers.clearTimeout(timer)
          waiting.delete(give)
          resolve(mail)
        }
        const timer = timers.setTimeout(() => {
          waiting.delete(give)
          const wanted = [kind, 'email', to && `for ${to}`].filter(Boolean).join(' ')
          reject(new Error(`No ${wanted} was sent within ${patience} ms. ${outboxText(outbox)}`))
        }, patience)
        waiting.add(give)
        give()
      })
    }),
    clear() {
      outbox.length = 0
      characters = 0
      clearings += 1
    },
  }
}

const PATIENCE_MS = 15_000

/** Emails that wait for the SMTP server, which may be slower than the requests that send them. Further emails fail. */
const mostWaiting = 2_000

/** The SMTP server rejected an email, or cannot be reached. Its address may be one that no server accepts. */
export class EmailNotSent extends Error {
  /** For those who cannot compare classes. */
  override name = 'EmailNotSent'
}

/** Delivery over SMTP. Connections stay open for the next email until `close`. */
export interface SmtpDelivery {
  /** @throws EmailNotSent */
  deliver: Deliver
  close(): Promise<void>
}

/** Delivers over SMTP. nodemailer is loaded with the first email, so it costs nothing if no email is sent. */
export function smtpDelivery(smtp: SmtpOptions, sender: MailSender): SmtpDelivery {
  let transport: Promise<import('nodemailer').Transporter> | undefined
  let underWay = 0
  const connect = async () => {
    const { createTransport } = await import('nodemailer')
    return createTransport({
      host: smtp.host,
      port: smtp.port,
      secure: smtp.tls ?? false,
      ignoreTLS: !smtp.tls,
      ...(smtp.username && { auth: { user: smtp.username, pass: smtp.password ?? '' } }),
      pool: true,
      connectionTimeout: PATIENCE_MS,
      greetingTimeout: PATIENCE_MS,
      socketTimeout: PATIENCE_MS,
    } as import('nodemailer').TransportOptions)
  }
  return {
    async deliver({ to, subject, html, text }) {
      if (underWay >= mostWaiting)
        throw new EmailNotSent(
          `${mostWaiting} emails wait for the SMTP server at ${smtp.host}:${smtp.port}, so this one was not sent. Send fewer, or use a faster server.`,
        )
      underWay += 1
      try {
        transport ??= connect()
        const from = { name: sender.senderName, address: sender.senderAddress }
        await (await transport).sendMail({ from, to, subject, html, text })
      } catch (cause) {
        const reason = cause instanceof Error ? cause.message : String(cause)
        throw new EmailNotSent(`The email "${subject}" to ${shortened(to)} was not sent: ${reason}`, {
          cause,
        })
      } finally {
        underWay -= 1
      }
    },
    async close() {
      const open = await transport
      open?.close()
    },
  }
}

/** A client may have signed up with an address of any length. */
function shortened(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}… (${text.length} characters)` : text
}
