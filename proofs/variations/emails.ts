/** What the emails of verification, reset and change of address look like. The document says that there are flows. */

import { servicesOf } from '../../reference/services-of.ts'
import { claimsIn, onceAnAccount, REQUESTS, recordsWhere, tokenIn } from '../faults/combinators/auth.ts'
import { all, another, json, on, parsedBody } from '../faults/combinators/combinators.ts'
import {
  alertsSignIns,
  base64url,
  comesTwice,
  digits,
  drawn,
  type EmailFlow,
  emailsCode,
  emailsProof,
  emailUuid,
  hex,
  type Letter,
  link,
  rewritesMail,
  tellsChanges,
  verifiesAtSignUp,
  welcomes,
} from '../faults/combinators/emails.ts'
import { byCode, flows } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('emails')

const options = { because: 'mail.flows', near: flows }
const LETTERS = 'ABCDEFGHJKLMNPQRSTUVWXYZ'
const app = 'https://app.example.com'

/** How each kind is called in links of servers that really exist. */
const word: Readonly<Record<EmailFlow, string>> = {
  verification: 'verify',
  'password-reset': 'reset',
  'email-change': 'change',
  otp: 'code',
  'login-alert': 'alert',
}

variation(
  'a link ends with 64 hexadecimal digits',
  options,
  emailsProof(
    hex(32),
    link((proof, { kind }) => `${app}/confirm-${kind}/${proof}`),
  ),
)

variation(
  'a link has 32 hexadecimal digits in its query',
  options,
  emailsProof(
    hex(16),
    link((proof, { kind }) => `${app}/${word[kind]}?token=${proof}`),
  ),
)

variation(
  'a link ends with a UUID',
  options,
  emailsProof(
    emailUuid,
    link((proof, { kind }) => `${app}/account/${word[kind]}/${proof}`),
  ),
)

variation(
  'a link has base64url in its query',
  options,
  emailsProof(
    base64url(32),
    link(
      (proof, { kind }) => `${app}/auth/v1/verify?token=${proof}&type=${word[kind]}&redirect_to=${app}/home`,
    ),
  ),
)

variation(
  'a link has a short token after the account in its path',
  options,
  emailsProof(
    () => `${drawn(6, 'abcdefghijklmnopqrstuvwxyz0123456789')()}-${hex(16)()}`,
    link((proof, { kind }) => `${app}/accounts/${word[kind]}/MTI/${proof}/`),
  ),
)

variation(
  'a link has the token before the address',
  options,
  emailsProof(
    drawn(20, `${LETTERS}${LETTERS.toLowerCase()}0123456789`),
    link((proof, { kind, to }) => `${app}/password/${word[kind]}/${proof}?email=${encodeURIComponent(to)}`),
  ),
)

variation(
  'a link has the token in its fragment',
  options,
  emailsProof(
    base64url(24),
    link((proof, { kind }) => `${app}/#${word[kind]}_token=${proof}`),
  ),
)

variation(
  'a link uses another name for its token',
  options,
  emailsProof(
    hex(20),
    link((proof) => `${app}/u/continue?ticket=${proof}#`),
  ),
)

variation(
  'a link is between other links',
  options,
  emailsProof(base64url(32), (proof, { kind, to }) => ({
    html:
      `<a href="${app}"><img src="https://cdn.example.com/4f2a9c1b7d3e8f60a1b2c3d4e5f60718/logo.png"></a>` +
      `<a href="${app}/${word[kind]}?token=${proof}">Go on</a>` +
      `<p>Example Ltd, 12345 Berlin, 2026. <a href="${app}/unsubscribe/9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d">Unsubscribe ${to}</a></p>`,
    text: `Go on: ${app}/${word[kind]}?token=${proof}\n\nExample Ltd, 12345 Berlin, 2026.`,
  })),
)

const inText: Letter = (proof) => ({
  html: '',
  text: `Hello,\n\nenter this in the application:\n\n${proof}\n\nBye`,
})

variation('an email contains a token without a link', options, emailsProof(hex(32), inText))

variation(
  'an email contains six digits instead of a link',
  options,
  emailsProof(digits(6), (proof) => ({
    html: `<h1>${proof}</h1><p>It is good for ten minutes.</p>`,
    text: '',
  })),
)

variation(
  'an email contains eight letters and digits instead of a link',
  options,
  emailsProof(drawn(8, `${LETTERS}23456789`), (proof) => ({
    subject: `${proof} is your code`,
    html: `<p>Your code is</p><p><strong>${proof}</strong></p>`,
    text: `Your code is\n\n${proof}\n`,
  })),
)

variation(
  'an email has no HTML',
  options,
  all(emailsProof(emailUuid, (proof) => ({ text: `${app}/verify/${proof}` }))),
)

variation(
  'an email has only HTML',
  options,
  emailsProof(emailUuid, (proof) => ({ html: `<a href='${app}/verify/${proof}'>verify</a>` })),
)

variation(
  'the query of a link contains a long signed token',
  options,
  emailsProof(
    () => `${base64url(20)()}.${base64url(120)()}.${base64url(32)()}`,
    link((proof) => `${app}/api/confirm?jwt=${proof}`),
  ),
)

variation(
  'the target file says how to find a token',
  {
    ...options,
    target: (target) => ({ ...target, mail: { ...target.mail, token: 'secret words: ([a-z ]+)\\.' } }),
  },
  emailsProof(
    () => Array.from({ length: 4 }, drawn(5, LETTERS.toLowerCase())).join(' '),
    (proof) => ({ text: `Say these secret words: ${proof}. No one else knows them.` }),
  ),
)

variation(
  'an email change also notifies the old address',
  options,
  all(
    emailsProof(
      hex(32),
      link((proof) => `${app}/verify?token=${proof}`),
    ),
    rewritesMail((mail) =>
      mail.kind === 'email-change'
        ? [{ ...mail, to: 'owner@example.com', html: 'Someone changes your address.', text: '' }, mail]
        : mail,
    ),
  ),
)

const withCodes = { ...options, near: [...flows, ...byCode] }
const alphabet = `${LETTERS}${LETTERS.toLowerCase()}0123456789`

/** Links that end with the proof, as those of servers that have a page for each flow. */
const inPath = emailsProof(
  drawn(32, alphabet),
  link((proof, { kind }) => `${app}/auth/${word[kind]}/${proof}`),
)
const welcome = {
  subject: 'Welcome to Example',
  text: 'Hello! Your customer number is 48151623. Call us at 0800 123456.\n\nhttps://app.example.com/help/getting-started',
}
const alert = {
  subject: 'New sign-in to your account',
  text: 'Someone has signed in. Reference: 7310442. If it was not you, go to https://app.example.com/report/9b1deb4d3b7d4bad9bdd2b0d7b3dcb6d',
}

for (const late of [0, 40]) {
  const when = late === 0 ? '' : ', which comes later'
  variation(
    `a sign-up sends an email that verifies the address${when}`,
    withCodes,
    all(inPath, verifiesAtSignUp(late)),
  )
  variation(
    `a sign-up sends a welcome with numbers and a link${when}`,
    withCodes,
    all(inPath, welcomes(welcome, late)),
  )
  variation(
    `a sign-in sends an email with a number and a link${when}`,
    withCodes,
    all(inPath, alertsSignIns(alert, late)),
  )
  variation(
    `a changed password or address is reported to both addresses${when}`,
    withCodes,
    all(
      inPath,
      tellsChanges(
        { subject: 'Your account has changed', text: `Case 5550123. ${app}/cases/${'4f2a9c1b'.repeat(4)}` },
        late,
      ),
    ),
  )
}
variation(
  'all emails have the same subject, and a sign-up and a sign-in send one',
  withCodes,
  all(
    inPath,
    rewritesMail((mail) => ({ ...mail, subject: 'Example' })),
    welcomes({ ...welcome, subject: 'Example' }, 20),
    alertsSignIns({ ...alert, subject: 'Example' }, 20),
  ),
)

/** A link that counts clicks has the real one in a parameter. */
const counted = (proof: string, kind: EmailFlow) =>
  `https://click.example.net/ls/click?upn=${encodeURIComponent(`${app}/auth/${word[kind]}?proof=${proof}`)}&h=${hex(11)()}`
const foot = () => `\nUnsubscribe: ${app}/unsubscribe/${hex(16)()}\nView online: ${app}/view/${hex(16)()}`

variation(
  'a link counts clicks',
  options,
  emailsProof(
    drawn(32, alphabet),
    link((proof, { kind }) => counted(proof, kind)),
  ),
)
variation(
  'a link counts clicks, in an email without text and with other links',
  options,
  emailsProof(drawn(32, alphabet), (proof, { kind }) => ({
    html: `<p>Hello</p><a href="${counted(proof, kind).replaceAll('&', '&amp;')}">Go on</a>${foot().replace(/(https\S+)/g, '<a href="$1">x</a>')}`,
  })),
)
variation(
  'a link has a longer word before its token',
  options,
  emailsProof(
    drawn(32, alphabet),
    link((proof) => `${app}/go?campaign=${hex(24)()}&k=${proof}`),
  ),
)
variation(
  'an email names a longer number before its code',
  { ...options, near: byCode },
  emailsCode(digits(6), (proof) => ({
    text: `Request: ${digits(9)()}\n\nUse ${proof} to sign in. Example Ltd, 12345 Springfield.`,
  })),
)
const address = 'It is valid for 10 minutes. Example Ltd, 12345 Springfield.'
for (const [what, make] of Object.entries({
  'a letter before its digits': () => `G-${digits(6)()}`,
  'three digits': digits(3),
  words: () => Array.from({ length: 4 }, drawn(5, LETTERS.toLowerCase())).join('-'),
}))
  variation(
    `a code consists of ${what}, before a postal code`,
    { ...options, near: byCode },
    emailsCode(make, (proof) => ({
      html: `<p>Hello, your code is <b>${proof}</b></p><p>${address}</p>`,
      text: `Hello, your code is ${proof}\n${address}`,
    })),
  )
variation(
  'a link has base64 in its query, in an email without HTML that ends the sentence behind it',
  options,
  emailsProof(
    () => `${base64url(20)()}/Ab+9${base64url(9)()}==`,
    (proof) => ({ text: `Hello, please visit ${app}/verify?token=${encodeURIComponent(proof)}. Thanks.` }),
  ),
)
variation(
  'a link opens an app, and its signs are written as entities',
  options,
  emailsProof(
    () => `MTI:${base64url(5)()}:${base64url(24)()}`,
    (proof) => ({
      html: `<a href="com.example.app:&#x2F;&#x2F;verify?v&#x3D;2&amp;token&#x3D;${proof}">Go on</a><p>10115 Berlin</p>`,
    }),
  ),
)
variation(
  'a link ends with six digits after the account',
  options,
  emailsProof(
    digits(6),
    link((proof) => `${app}/verify/5f2b9c1e7d3a4b6c8e0f1a2b/${proof}`),
  ),
)

/** Sends each email some time after the one before, and the second of two to an address before the first. */
const lateEmails: ReturnType<typeof rewritesMail> = ({ reference }) => {
  const services = servicesOf(reference)
  const send = services.mail.send
  let count = 0
  services.mail.send = async (mail) => {
    count += 1
    setTimeout(() => void send(mail).catch(() => {}), count % 2 === 0 ? 20 : 300)
  }
  return (request, next) => next(request)
}
variation('emails come late, and each second one sooner', withCodes, all(inPath, lateEmails))
variation('each email comes twice, the second time later', withCodes, all(inPath, comesTwice))

/** Emails the owner of an account a link that resets the password, after something else was asked for. */
const tellsWithReset = (operation: 'confirmPasswordReset' | 'updateRecord' | 'requestEmailChange') =>
  on(operation, async (request, next, { table = '' }, tools) => {
    const { token } = (await parsedBody(request)) ?? {}
    const response = await next(request.clone())
    const id = claimsIn(operation === 'confirmPasswordReset' ? String(token) : tokenIn(request))?.id
    const [record] = response.ok ? await recordsWhere(tools, request, table, `id = "${id}"`) : []
    if (typeof record?.email === 'string') {
      const path = `${tools.prefix}/collections/${table}/request-password-reset`
      await next(another(request, 'POST', path, { email: record.email }))
    }
    return response
  })
for (const operation of ['confirmPasswordReset', 'updateRecord', 'requestEmailChange'] as const)
  variation(
    `after ${operation} the owner gets a link that resets the password`,
    withCodes,
    all(inPath, tellsWithReset(operation)),
  )

variation(
  'a second change of address within a minute succeeds and sends no email',
  options,
  onceAnAccount('requestEmailChange', async (request) => claimsIn(tokenIn(request))?.id),
)
for (const status of [200, 202])
  variation(
    `requests for emails return ${status} and a message`,
    withCodes,
    on(REQUESTS, async (request, next) => {
      const response = await next(request)
      return response.status === 204 ? json(status, { message: 'Look into your inbox.' }) : response
    }),
  )

/** An account gets one email in a minute, whatever it is about. */
const oneEmailAMinute: typeof lateEmails = (tools) => {
  const services = servicesOf(tools.reference)
  const send = services.mail.send
  const sent = new Set<unknown>()
  const asked = new Map<unknown, unknown>()
  services.mail.send = async (mail) => {
    const owner = asked.get(mail.to) ?? mail.to
    if (sent.has(owner)) return
    sent.add(owner)
    await send(mail)
  }
  return on('requestEmailChange', async (request, next, { table = '' }) => {
    const { newEmail } = (await parsedBody(request)) ?? {}
    const [record] = await recordsWhere(tools, request, table, `id = "${claimsIn(tokenIn(request))?.id}"`)
    asked.set(newEmail, record?.email)
    return next(request)
  })(tools)
}
variation('an account gets one email a minute', withCodes, all(inPath, oneEmailAMinute))
const needsAnother = ['password-reset.confirms', 'email-change.confirms', 'otp.mails-code', 'otp.sign-in']
variation(
  'an account gets one email a minute, and the first at its sign-up',
  {
    ...options,
    near: ['verification.confirms', ...needsAnother],
    declares: Object.fromEntries(
      needsAnother.map((id) => [id, 'the account has got its email of the minute at the sign-up']),
    ),
  },
  all(inPath, oneEmailAMinute, verifiesAtSignUp('before')),
)
