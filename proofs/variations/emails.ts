/** What the emails of verification, reset and change of address look like. The document says that there are flows. */

import { all } from '../faults/combinators/combinators.ts'
import {
  base64url,
  digits,
  drawn,
  type EmailFlow,
  emailsProof,
  emailUuid,
  hex,
  type Letter,
  link,
  rewritesMail,
} from '../faults/combinators/emails.ts'
import { flows } from './near.ts'
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
