/**
 * Every name that a target may call otherwise is sent as it calls it. A front before the reference speaks other names
 * only: it translates them, and the checks hold as ever.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type InProcessRun, runInProcess } from '../harness/engine/run-in-process.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { type EmbeddedTarget, startEmbedded } from '../harness/target/embedded.ts'
import { standardBinding } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'

/** Checks that between them send every name, raw requests and sub-requests of a batch among them. */
const only = [
  'prefix.v1',
  'list.repeated-parameter',
  'list.skip-total',
  'list.filter-narrows',
  'sort.spaces',
  'list.sort-orders',
  'list.expand-relation',
  'batch.sub-query',
  'robust.prototype-keys',
  'otp.sign-in',
  'mfa.second-factor',
  'oauth2.create-data',
  'email-change.confirms',
  'password-reset.confirms',
  'impersonate.duration',
  'account.password-change',
  'otp.missing',
  'request-otp.invalid',
  'enumeration.otp-*',
  'impersonate.duration-invalid',
  'verification.request-invalid',
  'verification.invalid-token',
  'password-reset.request-invalid',
  'password-reset.invalid-*',
  'password-reset.once-at-once',
  'email-change.request-invalid',
  'email-change.confirm-missing',
]

/** The keys of a body by the action that takes it: an error response names them, too. */
const taken: Readonly<Record<string, RegExp>> = {
  'request-otp': /^otp\.email$/,
  'auth-with-password': /^mfa\.id$/,
  'auth-with-otp': /^(otp\.(id|code)|mfa\.id)$/,
  'auth-with-oauth2': /^(oauth2\.|mfa\.id$)/,
  impersonate: /^impersonate\./,
  'request-verification': /^flow\.email$/,
  'confirm-verification': /^flow\.token$/,
  'request-password-reset': /^flow\.email$/,
  'confirm-password-reset': /^passwordReset\./,
  'request-email-change': /^emailChange\.newEmail$/,
  'confirm-email-change': /^emailChange\.(token|password)$/,
}

const standard = standardBinding()
/**
 * Names of methods are read in responses, and never sent: harness/explore/reported-methods.test.ts. Added keys,
 * the domain of addresses, and references in batches are not names: variations require them. Without a name of its own, the
 * proof of a verification has the name of `flow.token`.
 */
const keys = Object.keys(standard).filter(
  (key) => !/^(methods\.|body\.|batch\.reference$|signUp\.domain$|verification\.token$)/.test(key),
)
/** A word that nothing else contains, and what the reference understands instead. */
const marks = keys.map((key) => {
  const mark = `x_${key.replace('.', '_')}_x`
  // Where the profile names the proof for no single flow, it has the name of all flows.
  const meant = standard[key] || String(standard['flow.token'])
  const template = meant.includes('{field}')
  return {
    key,
    mark,
    binding: key === 'prefix' ? `/${mark}` : template ? meant.replace(/^-?/, mark) : mark,
    meant: key === 'prefix' ? meant.slice(1) : template ? (/^-?/.exec(meant)?.[0] ?? '') : meant,
  }
})

/** Names that this server does not know: nothing but a binding speaks of them. */
const usual =
  /[?&](page|perPage|sort|filter|expand|fields|skipTotal)=|"(passwordConfirm|oldPassword|newEmail|otpId|codeVerifier|redirectURL|createData|duration)":/

const seen = new Set<string>()
const unknown: string[] = []
let embedded: EmbeddedTarget
let run: InProcessRun
const front = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const translated = (text: string) =>
    marks.reduce((left, { key, mark, meant }) => {
      if (left.includes(mark)) seen.add(key)
      return left.replaceAll(mark, meant)
    }, text)
  const { host: _host, 'content-length': _length, connection: _connection, ...headers } = request.headers
  const text = Buffer.concat(chunks).toString('latin1')
  const strange = usual.exec(request.url ?? '') ?? usual.exec(text)
  if (strange !== null) unknown.push(`${strange[0]} in ${request.method} ${request.url}`)
  const body = Buffer.from(translated(text), 'latin1')
  const answer = await fetch(embedded.target.baseUrl + translated(request.url ?? ''), {
    method: request.method ?? 'GET',
    headers: headers as Record<string, string>,
    ...(body.length === 0 ? {} : { body }),
  })
  const otp = marks.find(({ key }) => key === 'otp.id')
  const action = Object.keys(taken).find((name) => request.url?.includes(`/${name}`))
  const named = marks.filter(({ key }) => action !== undefined && taken[action]?.test(key))
  const shown = named.reduce(
    (left, { meant, mark }) => left.replace(`"${meant}":{"code"`, `"${mark}":{"code"`),
    (await answer.text()).replace(/"otpId":"/, `"${otp?.mark}":"`),
  )
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' })
  response.end(shown)
})

beforeAll(async () => {
  embedded = await startEmbedded({ seed: 7 })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const target = {
    ...embedded.target,
    baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    binding: Object.fromEntries(marks.map(({ key, binding }) => [key, binding])),
  }
  const requirements = loadRequirements()
  const checks = planChecks(await loadSuites(), requirements, { only })
  run = await runInProcess(checks, target, { requirements }, { seed: 7, runs: 0.2 })
}, 120_000)

afterAll(async () => {
  front.closeAllConnections()
  front.close()
  await embedded.close()
})

it('every check holds on a server that has another name for everything', () => {
  expect(run.errors).toEqual([])
  expect(run.findings.filter(({ status }) => status !== 'pass')).toEqual([])
  expect(run.otherViolations).toEqual([])
  expect(unknown).toEqual([])
})

it.each(keys)('%s is sent as the target calls it', (key) => {
  expect([...seen]).toContain(key)
})
