import { describe, expect, test } from 'vitest'
import { makeAuthWorld, password } from '../../../test/support/auth-world.ts'
import { type EmailKind, emailKinds, type Placeholders, renderTemplate } from './template.ts'

/** Looks like every placeholder there is. */
const everything = '{RECORD:email} {RECORD:note} {APP_NAME} {APP_URL} {TOKEN} {OTP} {OTP_ID} {ALERT_INFO}'

const particular: Readonly<Record<EmailKind, readonly string[]>> = {
  verification: ['TOKEN'],
  'password-reset': ['TOKEN'],
  'email-change': ['TOKEN'],
  otp: ['OTP', 'OTP_ID'],
  'login-alert': ['ALERT_INFO'],
}

const optionOf: Readonly<Record<EmailKind, (template: { subject: string; body: string }) => object>> = {
  verification: (verificationTemplate) => ({ verificationTemplate }),
  'password-reset': (resetPasswordTemplate) => ({ resetPasswordTemplate }),
  'email-change': (confirmEmailChangeTemplate) => ({ confirmEmailChangeTemplate }),
  otp: (emailTemplate) => ({ otp: { emailTemplate } }),
  'login-alert': (emailTemplate) => ({ authAlert: { emailTemplate } }),
}

/** Fills a template of a table whose record holds `value` in its field `note`. */
function fill(kind: EmailKind, text: string, value: string, placeholders: Placeholders, app = value) {
  const table = {
    definition: optionOf[kind]({ subject: text, body: text }),
    field: (name: string) => (name === 'note' || name === 'email' ? { hidden: false } : undefined),
  }
  const row = { id: 'r', values: { note: value, email: 'ann@example.com' } }
  const sender = { appName: app, appURL: app, senderName: '', senderAddress: '' }
  return renderTemplate(kind, table as never, row as never, sender, placeholders)
}

describe('a value is shown unchanged, in the email of kind', () => {
  test.each(emailKinds)('%s', (kind) => {
    const names = ['APP_NAME', 'APP_URL', 'RECORD:note', ...particular[kind]]
    const placeholders = Object.fromEntries(particular[kind].map((name) => [name, everything]))
    for (const name of names) {
      const { subject, body } = fill(kind, `<x>{${name}}</x>`, everything, placeholders)
      expect([name, subject, body]).toEqual([name, `<x>${everything}</x>`, `<x>${everything}</x>`])
    }
  })
})

test('text that is not a placeholder, and a placeholder of an unknown field, stay as written', () => {
  const text = '{RECORD:none} {RECORD:} {NONE} {record:note} {} {{OTP}}'
  expect(fill('otp', text, 'v', { OTP: '1' }).body).toBe(text.replace('{{OTP}}', '{1}'))
})

test('a user agent cannot have fields of the record filled in', async () => {
  const world = await makeAuthWorld()
  await world.join('alert', 'ann@example.com')
  for (const agent of ['one', '{RECORD:email} {APP_NAME} {ALERT_INFO}']) {
    const body = { identity: 'ann@example.com', password }
    await world.call('POST /collections/alert/auth-with-password', body, undefined, { 'user-agent': agent })
  }
  expect(world.reference.mail.outbox[0]?.html).toContain(
    '127.0.0.1 {RECORD:email} {APP_NAME} {ALERT_INFO}</em>',
  )
})
