/** Defects of email flows and one-time codes: a response, or a record, contains what only the email may. */

import { CONFIRMS, claimsIn, SIGNING } from './combinators/auth.ts'
import {
  all,
  type JsonValue,
  json,
  type Operations,
  rewriteBody,
  tamperRecord,
  withMoreHeaders,
} from './combinators/combinators.ts'
import { hex, rewritesMail, withProof } from './combinators/emails.ts'
import { type FaultTools, fault, type Middleware } from './fault.ts'

/** The flows, each with the operation of its first step. */
const firstSteps = [
  ['verification', 'requestVerification'],
  ['password-reset', 'requestPasswordReset'],
  ['email-change', 'requestEmailChange'],
] as const
for (const [flow, operation] of firstSteps)
  fault(
    `the response to ${operation} contains the proof`,
    { trips: [`${flow}.proof-required`, 'flow.made-up'] },
    withProof(operation, 'token', (_response, proof) => json(200, { debug: proof })),
  )

for (const [flow, operation] of firstSteps)
  for (const [where, show] of [
    ['in a header', (response, proof) => withMoreHeaders(response, { 'x-debug-token': proof })],
    [
      'in the address of a link',
      (response, proof) => withMoreHeaders(response, { link: `</confirm/${proof}>; rel="next"` }),
    ],
    ['in a cookie', (response, proof) => withMoreHeaders(response, { 'set-cookie': `t=${proof}; Path=/` })],
    ['encoded', (_response, proof) => json(200, { debug: Buffer.from(proof).toString('base64') })],
  ] as [string, Parameters<typeof withProof>[2]][])
    fault(
      `the response to ${operation} contains the proof ${where}`,
      { trips: [`${flow}.proof-required`] },
      withProof(operation, 'token', show),
    )

for (const [flow, operation] of firstSteps)
  for (const [where, shown] of [
    ['', (proof) => ({ debug: proof })],
    [' in a link', (proof) => ({ data: { url: `https://example.com/confirm?token=${proof}` } })],
  ] as [string, (proof: string) => JsonValue][])
    fault(
      `the response to ${operation} contains another proof than the email${where}`,
      { trips: [`${flow}.proof-required`, 'flow.made-up'] },
      (tools) => {
        const emailed = new Map<unknown, string>()
        const show = withProof(operation, 'token', (_response, proof) => {
          const other = hex(16)()
          emailed.set(other, proof)
          return json(200, shown(other))
        })
        const take = rewriteBody(CONFIRMS, (body) => ({
          ...body,
          token: emailed.get(body.token) ?? body.token,
        }))
        return all(show, take)(tools)
      },
    )

/** Records show the proof of the last email to their account. */
function inRecords(
  operations: Operations,
  kind: 'code' | 'token',
  key: string,
): (tools: FaultTools) => Middleware {
  return (tools) => {
    const proofs = new Map<unknown, string>()
    const keep = rewritesMail((mail) => {
      const proof = mail[kind]
      if (proof !== undefined) proofs.set(claimsIn(proof)?.id ?? mail.to, proof)
      return mail
    })
    const show = tamperRecord(operations, (record) => {
      const proof = proofs.get(record.id) ?? proofs.get(record.email)
      return proof === undefined ? record : { ...record, [key]: proof }
    })
    return all(keep, show)(tools)
  }
}
const ofFlows = firstSteps.map(([flow]) => `${flow}.proof-required`)
fault(
  'views of a record contain the proof that was emailed to it',
  { trips: ofFlows },
  inRecords('viewRecord', 'token', 'confirmation'),
)
fault(
  'sign-ins return the record with the proof that was emailed to it',
  { trips: ofFlows.slice(0, 2) },
  inRecords(SIGNING, 'token', 'confirmation'),
)
fault(
  'views of a record contain the one-time code that was emailed to it',
  { trips: ['otp.two-steps'] },
  inRecords('viewRecord', 'code', 'otp'),
)
fault(
  'sign-ins return the record with the one-time code that was emailed to it',
  { trips: ['otp.two-steps'] },
  inRecords(SIGNING, 'code', 'otp'),
)
