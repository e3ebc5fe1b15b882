/**
 * Password hashes, complete and in the forms in which libraries write them: no other text has such a form. The validator has
 * a list of its own (`exchange/secrets/secret-key.ts`), so that one mistake cannot hide in both.
 *
 * @module
 */

import type { ApiResponse } from '../../harness/vocabulary/api.ts'
import { unusualHeaders } from './unusual-headers.ts'

const forms = [
  // bcrypt, and the password hashes of crypt(3).
  /\$2[abxy]\$\d\d\$[./A-Za-z0-9]{53}/,
  /\$(?:[56]|y)\$[./A-Za-z0-9$=]{40,}/,
  // The PHC string format.
  /\$(?:argon2(?:id|i|d)|scrypt|pbkdf2(?:-sha\d+)?)\$[\w.+/=,$-]{20,}/,
  // Django, werkzeug, LDAP.
  /\bpbkdf2_sha(?:1|256|512)\$\d+\$[^\s$"]+\$[A-Za-z0-9+/]{20,}/,
  /\b(?:scrypt:\d+:\d+:\d+|pbkdf2:sha\d+:\d+)\$[^\s$"]+\$[0-9a-f]{40,}/,
  /\{SSHA(?:256|384|512)?\}[A-Za-z0-9+/]{28,}/,
]

/** The hash that a text contains. */
export function hashIn(text: string): string | undefined {
  // Some servers escape slashes in JSON.
  const plain = text.replaceAll('\\/', '/')
  return forms.map((form) => form.exec(plain)?.[0]).find((found) => found !== undefined)
}

/** The hash in the body of a response, or in a header that is not an ordinary one. */
export function hashShown(response: Pick<ApiResponse, 'headers' | 'text'>): string | undefined {
  return [response.text, ...Object.values(unusualHeaders(response))]
    .map(hashIn)
    .find((hash) => hash !== undefined)
}
