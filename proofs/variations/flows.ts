/** The email flows: the responses to their steps, and their other effects. */

import { CONFIRMS, REQUESTS } from '../faults/combinators/auth.ts'
import {
  forgive,
  json,
  on,
  parsedBody,
  rewriteBody,
  tamperStatus,
} from '../faults/combinators/combinators.ts'
import { rewritesMail } from '../faults/combinators/emails.ts'
import { fieldRejection, withObject } from '../faults/combinators/field.ts'
import { countsTwice, endsWithNewer } from './combinators/counts-twice.ts'
import { flows, nearOperation } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('flows')

const ownRecord = ['verification.own-record', 'password-reset.own-record', 'email-change.own-record']
const options = { because: 'mail.flows', near: flows }

/** Successful responses have this status and body. */
const responses = (operations: typeof REQUESTS | typeof CONFIRMS, status: number, body: unknown) =>
  on(operations, async (request, next) => {
    const response = await next(request)
    return response.ok ? json(status, body) : response
  })

for (const status of [200, 202])
  variation(`first steps answer ${status}`, options, responses(REQUESTS, status, { sent: true }))
for (const status of [200, 201, 202])
  variation(`second steps answer ${status}`, options, responses(CONFIRMS, status, { done: true }))
for (const status of [401, 403, 404, 410, 422])
  variation(
    `a proof that is not valid is rejected with ${status}`,
    options,
    tamperStatus(CONFIRMS, 400, status),
  )
variation(
  'a proof that is not valid is answered with 200 and no effect',
  options,
  on(CONFIRMS, async (request, next) => {
    const response = await next(request)
    return response.ok ? response : json(200, { done: false })
  }),
)

variation('whether a proof is valid is told to no one', options, forgive(CONFIRMS, 400, 204))

variation('after three proofs that are not valid none is taken until another is mailed', options, (tools) => {
  let wrong = 0
  return on([...REQUESTS, ...CONFIRMS], async (request, next, { operation }) => {
    if (REQUESTS.some((each) => each === operation)) {
      wrong = 0
      return next(request)
    }
    if (wrong >= 3) return fieldRejection(420)
    const response = await next(request)
    if (response.ok) wrong = 0
    else wrong += 1
    return response
  })(tools)
})

variation(
  'a change of address takes the password where it is asked for',
  options,
  on('requestEmailChange', async (request, next) => {
    const { password, ...body } = (await parsedBody(request)) ?? {}
    return password === undefined ? fieldRejection(422) : next(withObject(request, body))
  }),
)
variation(
  'names of the steps are of their own',
  {
    ...options,
    target: (target) => ({
      ...target,
      binding: {
        ...target.binding,
        'flow.email': 'address',
        'flow.token': 'proof',
        'passwordReset.password': 'new_password',
        'passwordReset.passwordConfirm': 'new_password_again',
        'emailChange.newEmail': 'new_address',
      },
    }),
  },
  rewriteBody([...REQUESTS, ...CONFIRMS], (body) => {
    const names: Readonly<Record<string, string>> = {
      address: 'email',
      proof: 'token',
      new_password: 'password',
      new_password_again: 'passwordConfirm',
      new_address: 'newEmail',
    }
    return Object.fromEntries(Object.entries(body).map(([key, value]) => [names[key] ?? key, value]))
  }),
)
variation(
  'every email comes after another one to the sender',
  options,
  rewritesMail((mail) => [{ ...mail, to: 'archive@example.com', text: 'A copy.', html: '' }, mail]),
)
variation(
  'a proof is taken with space around it',
  options,
  on(CONFIRMS, async (request, next) => {
    const body = (await parsedBody(request)) ?? {}
    const { token } = body
    return next(withObject(request, { ...body, token: typeof token === 'string' ? token.trim() : token }))
  }),
)

for (const confirm of CONFIRMS) {
  const near = [...nearOperation[confirm], ...ownRecord]
  variation(`a proof counts twice at ${confirm}`, { ...options, near }, countsTwice(confirm))
  variation(`a newer proof ends the one before at ${confirm}`, { ...options, near }, endsWithNewer(confirm))
}
