/**
 * Default email templates and the placeholders that a template may contain (contract-auth 9.5).
 *
 * @module
 */

import type { AuthOptions, MailTemplate } from '../../../spec/table-definition.ts'
import type { Row, Table } from '../../vocabulary.ts'

/** What an email is for. */
export type EmailKind = 'verification' | 'password-reset' | 'email-change' | 'otp' | 'login-alert'

/** The application that sends the emails. */
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
      '<p>Thank you for joining {APP_NAME}. Click the button to verify your email address.</p>',
      link('verification', 'Verify'),
    ]),
  },
  'password-reset': {
    subject: 'Reset your {APP_NAME} password',
    body: page([
      '<p>Choose a new password here. If you did not request this, ignore this email.</p>',
      link('password-reset', 'Reset password'),
    ]),
  },
  'email-change': {
    subject: 'Confirm your {APP_NAME} new email address',
    body: page([
      '<p>Confirm your new address here. If you did not request this, ignore this email.</p>',
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
      '<p>Someone signed in to your {APP_NAME} account from a new location:</p>',
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

/** `&`, `<`, `>`, `"` and `'` as entities: a value of a record must not become markup in an email. */
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

/** Values of the placeholders that are specific to one email: `{ TOKEN }`, `{ OTP, OTP_ID }`, `{ ALERT_INFO }`. */
export type Placeholders = Readonly<Record<string, string>>

/** Both forms in one expression: a replaced value is never searched for placeholders again. */
const placeholder = /\{(?:([A-Z_]+)|RECORD:(\w+))\}/g

/** The value of a field, escaped for an email. Undefined if the field does not exist or is hidden. */
function fieldText(table: Table, row: Row, name: string): string | undefined {
  const field = table.field(name)
  if (!field || field.hidden) return undefined
  const value = row.values[name]
  return escapeEmailHtml(typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))
}

/**
 * Subject and HTML body of an email about a record. `{RECORD:name}` is replaced with a field that is not hidden,
 * escaped in the subject as well. An unknown or hidden field stays as written. All placeholders are replaced in one
 * pass, so a value that a client sent (its user agent, a field) is never read as a placeholder.
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
