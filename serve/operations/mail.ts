/**
 * The emails that the server sent.
 *
 * @module
 */

import { emailKinds } from '../../reference/auth/mail/template.ts'
import { listMail, longestWait } from '../list-mail.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'

export const mailOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: 'mail',
    groups: ['control', 'console'],
    query: {
      to: { says: 'address of the recipient' },
      kind: {
        oneOf: emailKinds,
        says: '`verification`, `password-reset`, `email-change`, `otp` or `login-alert`',
      },
      wait: { most: longestWait, says: `milliseconds to wait for an email, at most ${longestWait}` },
    },
    returns: '`{ mails }` with `code`, `token`, `link`, or 408 if none arrived',
    run: ({ serving, query }) => listMail(serving.reference, query),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'mail',
    groups: ['control', 'console'],
    returns: '204. Empties the mailbox',
    run: ({ serving }) => serving.reference.mail.clear(),
  }),
]
