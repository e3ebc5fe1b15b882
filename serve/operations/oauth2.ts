/**
 * The user whom the pretended identity provider signs in next.
 *
 * @module
 */

import { nextUser } from '../next-user.ts'
import { controlOperation, type ServeOperation } from '../operation.ts'

export const oauth2Operations: readonly ServeOperation[] = [
  controlOperation({
    method: 'POST',
    path: 'oauth2',
    groups: ['control'],
    body: {
      sub: { type: 'string', required: 'reject', says: 'id of the user at the provider' },
      email: { type: 'string', says: 'address of the user' },
      emailVerified: { type: 'boolean', says: 'whether the provider has verified it. Default: `true`' },
      name: { type: 'string', says: 'name for display' },
      username: { type: 'string', says: 'name to sign in with' },
      avatarURL: { type: 'string', says: 'address of a picture' },
      reject: {
        type: 'string',
        oneOf: ['token', 'user'],
        says: 'simulate a failure: with `token`, the provider rejects the code; with `user`, it returns a token but no user',
      },
      authURL: {
        type: 'string',
        says: 'the `authURL` from auth-methods with the redirect URL appended: the server does what the browser would do. Default: the next sign-in, with any code, is as this user',
      },
    },
    returns: '`{ code }`, or `{ url }` that the provider redirects to',
    run: ({ serving, body }) => nextUser(serving, body),
  }),
]
