/**
 * What the mails say: default templates and the placeholders that they may hold (contract-auth 9.5).
 *
 * @module
 */

import type { AuthOptions, MailTemplate } from '../../../spec/table-definition.ts'
import type { Row, Table } from '../../vocabulary.ts'

/** What an email is for. */
export type EmailKind = 'verification' | 'password-reset' | 'email-change' | 'otp' | 'login-alert'

/** The application in whose name emails are sent. */
export interface MailSender {
  /** Name of the application, for `{APP_NAME}` in templates. */
  appName: string
  /** Address of the application, for `{APP_URL}` in templates. */
  appURL: string
  /** Name in the From header. */
  senderName: string
  /** Address in the From header. */
  senderAddress: string
}

const page = (lines: string[]) => ['<p>Hello,</p>', ...lines, '<p>Thanks,<br/>{APP_NAME}</p>'].join('\n')
const link = (action: string, label: string) =>
  `<p><a class="btn" href="{APP_URL}/_/#/auth/confirm-${action}/{TOKEN}" target="_blank" rel="noopener">${label}</a></p>`

const defaults: Readonly<Record<EmailKind, MailTemplate>> = {
  verification: {
    subject: 'Verify your {APP_NAME} email',
    body: page([
      '<p>Thank you for joining {APP_NAME}. One click shows that this address is yours.</p>',
      link('verification', 'Verify'),
    ]),
  },
  'password-reset': {
    subject: 'Reset your {APP_NAME} password',
    body: page([
      '<p>Here you choose a new password. If you did not ask for one, nothing needs to be done.</p>',
      link('password-reset', 'Reset password'),
    ]),
  },
  'email-change': {
    subject: 'Confirm your {APP_NAME} new email address',
    body: page([
      '<p>Here you confirm your new address. If you did not ask for a change, nothing needs to be done.</p>',
      link('email-change', 'Confirm new email'),
    ]),
  },
  otp: {
    subject: 'OTP for {APP_NAME}',
    body: page(['<p>Your one-time password is: <strong>{OTP}</strong></p>']),
  },
  'login-alert': {
    subject: 'Login from a new location',
    body: page([
      '<p>Somebody signed in to your {APP_NAME} account from a new place:</p>',
      '<p><em>{ALERT_INFO}</em></p>',
    ]),
  },
}

export const emailKinds = Object.keys(defaults) as readonly EmailKind[]

function configured(options: AuthOptions, kind: EmailKind): MailTemplate | undefined {
  switch (kind) {
    case 'verification':
      return options.verificationTemplate
    case 'password-reset':
      return options.resetPasswordTemplate
    case 'email-change':
      return options.confirmEmailChangeTemplate
    case 'otp':
      return options.otp?.emailTemplate
    case 'login-alert':
      return options.authAlert?.emailTemplate
  }
}

/** `&`, `<`, `>`, `"` and `'` as entities: what a record holds must not become markup in somebody's mail. */
export function escapeEmailHtml(text: string): string {
  const entities: Record<string, string> = {
    '&': '&amp;',
    '<': '&lt;',
    '>': '&gt;',
    '"': '&#34;',
    "'": '&#39;',
  }
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
}

/** Values of the placeholders that are particular to one mail: `{ TOKEN }`, `{ OTP, OTP_ID }`, `{ ALERT_INFO }`. */
export type Placeholders = Readonly<Record<string, string>>

/** Both forms in one expression: a value is never searched for placeholders again. */
const placeholder = /\{(?:([A-Z_]+)|RECORD:(\w+))\}/g

/** A field for a mail, escaped. Undefined if there is no such field or it is hidden. */
function fieldText(table: Table, row: Row, name: string): string | undefined {
  const field = table.field(name)
  if (!field || field.hidden) return undefined
  const value = row.values[name]
  return escapeEmailHtml(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/**
 * Subject and HTML body of a mail about a record. `{RECORD:name}` stands for a field that is not hidden, escaped in
 * the subject as well; an unknown or hidden one stays as it is written. The template is filled in one pass: what a
 * client sent (its user agent, a field) is shown as it is, also where it looks like a placeholder.
 */
export function renderTemplate(
  kind: EmailKind,
  table: Table,
  row: Row,
  sender: MailSender,
  placeholders: Placeholders,
): MailTemplate {
  const own = configured(table.definition, kind)
  const template = own?.subject && own.body ? own : defaults[kind]
  const fixed: Placeholders = { APP_NAME: sender.appName, APP_URL: sender.appURL, ...placeholders }
  const fill = (text: string) =>
    text.replace(placeholder, (whole, name: string | undefined, field: string | undefined) => {
      if (name !== undefined) return fixed[name] ?? whole
      return fieldText(table, row, field ?? '') ?? whole
    })
  return { subject: fill(template.subject), body: fill(template.body) }
}
