/**
 * Servers that sign in with answers of their own where the document leaves it open, by every endpoint but the one for
 * passwords: its requirements hold for them, or cannot be judged.
 */

import { describe, it } from 'vitest'
import { tokenOf, withToken } from '../faults/combinators/auth.ts'
import { all, tamper, wordless } from '../faults/combinators/combinators.ts'
import { refusal } from '../faults/combinators/field.ts'
import type { Fault } from '../faults/fault.ts'
import type { Status } from '../harness/vocabulary/findings.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { expectFindings, leftOpenServer } from './support/left-open.ts'

const requirements = loadRequirements()
const ids = [...requirements.values()]
  .filter(
    ({ id, basis }) =>
      /^(auth|auth-record|refresh|impersonate|otp|mfa|oauth2)\./.test(id) && basis !== 'profile',
  )
  .map(({ id }) => id)
const ask = leftOpenServer()

const GIVES = ['authRefresh', 'authWithOtp', 'authWithOAuth2', 'impersonate'] as const

/** What it gives for a token, once it was refreshed, stands behind the token from then on. */
const inPlace: Fault['make'] = () => {
  const newest = new Map<string, string>()
  return async (request, next) => {
    const token = tokenOf(request)
    const longer = newest.get(token)
    const response = await next(longer === undefined ? request : await withToken(request, longer))
    if (!response.ok || !/auth-refresh$/.test(request.url)) return response
    newest.set(token, ((await response.json()) as { token: string }).token)
    return new Response(null, { status: 204 })
  }
}

const onceRefreshed: Fault['make'] = () => {
  const spent = new Set<string>()
  return async (request, next) => {
    const token = tokenOf(request)
    if (spent.has(token)) return refusal(401)
    const response = await next(request)
    if (response.ok && /auth-refresh$/.test(request.url)) {
      const { token: given } = (await response.clone().json()) as { token: string }
      if (given !== token) spent.add(token)
    }
    return response
  }
}

const noRecord: Record<string, Status> = {
  'oauth2.same-record': 'untestable',
  'oauth2.other-record': 'untestable',
}

/** In what such a server differs, and the findings that are no pass. */
const different: [string, Fault['make'], Record<string, Status>][] = [
  ['gives a token alone, wrapped', tamper(GIVES, ({ token }) => ({ session: { token } })), noRecord],
  [
    'gives a token under a name of its own',
    all(
      tamper(GIVES, ({ token }) => ({ jwt: token })),
      tamper('requestOtp', ({ otpId }) => ({ otpId, sent: true })),
    ),
    {
      ...noRecord,
      'oauth2.sign-in': 'untestable',
      'otp.sign-in': 'untestable',
      'mfa.second-factor': 'untestable',
      'impersonate.acts-as-record': 'untestable',
      'refresh.outlives': 'untestable',
    },
  ],
  ['extends a session as it is, without a word', inPlace, {}],
  ['ends the session that was refreshed', onceRefreshed, {}],
  [
    'answers writes with little',
    all(
      tamper('createRecord', ({ id }) => ({ id })),
      wordless('updateRecord', 204),
    ),
    {},
  ],
]

describe('a server that', () => {
  it.each(different)(
    '%s',
    async (name, make, otherwise) => {
      const { findings } = await ask(name, make, ids)
      expectFindings(findings, ids, otherwise)
    },
    120_000,
  )
})
