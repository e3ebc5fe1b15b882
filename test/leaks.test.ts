/**
 * A server that shows every secret it is sent, in every form that it can think of: none of them may reach a report.
 */

import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, it } from 'vitest'
import { isObject } from '../exchange/json-object.ts'
import { runInProcess } from '../harness/engine/run-in-process.ts'
import { verdictOf } from '../harness/judging/verdict.ts'
import { planChecks } from '../harness/planning/plan.ts'
import { loadSuites } from '../harness/planning/suites.ts'
import { reportFormats } from '../harness/report/formats.ts'
import { createPaint } from '../harness/report/paint.ts'
import { reportLines } from '../harness/report/terminal.ts'
import { referenceHooks, roleTables } from '../harness/target/embedded.ts'
import { serveHooks } from '../harness/target/hook-server.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { createReference } from '../reference/reference.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { standardBinding } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { tableDefinitions } from '../spec/tables.ts'
import { coverageOf } from '../validate/coverage/coverage-report.ts'

const superuser = { email: 'root@conformance.example', password: 'ro"ot pässword/+ %41&x=1' }
/** Passwords that the checks made up. Evidence about a wrong password says nothing without it: decision 012. */
const madeUp = new Set<string>()
/** Tokens and keys that the checks sent, and what they were given under the name of a secret. */
const secrets = new Set<string>([superuser.password])
/** Headers that the server shows. A check tries each string of a response as a code, so these are sent as one. */
const ordinary = new Set<string>()
let report: RunReport
/** What sends and receives secrets of each kind; `npm run test:full` runs nearly all checks. */
const some = ['auth.password-*', 'sign-in', 'refresh', 'api-key', 'otp.sign-in', 'secrets']

function note(value: unknown, side: 'sent' | 'received', key = ''): void {
  if (typeof value === 'string' && value.length >= 10) {
    const isPassword = /password/i.test(key)
    if (side === 'sent' && isPassword && !secrets.has(value)) madeUp.add(value)
    else if ((isPassword && !madeUp.has(value)) || /^token$|tokenKey/i.test(key)) secrets.add(value)
  }
  if (typeof value !== 'object' || value === null) return
  for (const [name, inner] of Object.entries(value)) note(inner, side, Array.isArray(value) ? key : name)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

beforeAll(async () => {
  const reference = createReference({ tables: tableDefinitions(), superusers: [superuser], seed: 1 })
  const server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const sent = Buffer.concat(chunks)
    const { method = '', url = '/', headers } = incoming
    const { authorization = '', ...others } = headers
    for (const value of Object.values(others)) ordinary.add(String(value))
    const response = await reference.fetch(`http://reference${url}`, {
      method,
      headers: headers as Record<string, string>,
      ...(sent.length > 0 && method !== 'GET' && method !== 'HEAD' ? { body: sent } : {}),
    })
    const text = await response.text()
    const body = parsed(text)
    note(parsed(sent.toString('utf8')), 'sent')
    note(body, 'received')
    if (authorization.length >= 10) secrets.add(authorization.replace(/^Bearer /i, ''))
    const [token = 'no-secret-was-sent'] = [...secrets].slice(-1)
    const echo = {
      headers,
      body: sent.toString('utf8'),
      base64: sent.toString('base64'),
      form: new URLSearchParams({ password: token, x: token }).toString(),
      basic: `Basic ${Buffer.from(`root:${superuser.password}`).toString('base64')}`,
      words: `password=${token}; you said ${authorization}; http://root:${encodeURIComponent(token)}@host/`,
    }
    // Those that read no body have none, and a list keeps its form.
    const shown = isObject(body) ? { ...body, echo } : body
    outgoing.writeHead(response.status, {
      'content-type': response.headers.get('content-type') ?? 'application/json',
      'set-cookie': [`session=${encodeURIComponent(token)}; Path=/`, 'other=1'],
      location: `/next?token=${encodeURIComponent(token)}`,
      'x-auth-token': encodeURIComponent(token),
      'x-echo': JSON.stringify({ password: encodeURIComponent(token) }),
    })
    outgoing.end(
      response.status === 204 ? undefined : text === '' ? undefined : JSON.stringify(shown ?? text),
    )
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const requirements = loadRequirements()
  const hooks = await serveHooks(referenceHooks(() => reference))
  const target = {
    baseUrl: `http://127.0.0.1:${port}`,
    profile: 'standard',
    binding: standardBinding(),
    capabilities: {},
    tables: roleTables(),
    credentials: {
      superuser: {
        signIn: { table: '_superusers', identity: superuser.email, password: superuser.password },
      },
    },
    hooks: hooks.hooks,
  }
  const { findings, errors, requests, session } = await runInProcess(
    planChecks(await loadSuites(), requirements, inFull ? { skip: ['robust', 'derived'] } : { only: some }),
    target,
    { requirements },
    { seed: 1, quick: true, runs: 0.2 },
  )
  report = {
    suite: { name: 'suite', version: '0' },
    target: { baseUrl: target.baseUrl, profile: target.profile },
    seed: 1,
    startedAt: new Date(0).toISOString(),
    durationMs: 1,
    requests,
    findings,
    errors,
    leftovers: [...session.cleanup.leftovers.all],
    smoke: session.smoke,
    coverage: coverageOf(session.coverage.rows(), findings.length),
    verdict: verdictOf({
      findings,
      errors,
      claim: { profile: 'standard' },
      strict: false,
      stopped: false,
      problems: [],
    }),
  }
  server.closeAllConnections()
  server.close()
  await hooks.close()
  await reference.close()
}, 300_000)

/** A secret as it may appear in a text. */
function forms(secret: string): string[] {
  return [
    secret,
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret),
    secret.replaceAll('&', '&amp;').replaceAll('"', '&quot;'),
    new URLSearchParams({ x: secret }).toString().slice(2),
    Buffer.from(secret).toString('base64').replace(/=+$/, ''),
  ]
}

it('shows the passwords that the checks made up', () => {
  const { curl } = report.findings.find(({ requirement }) => requirement === 'auth.password-wrong') ?? {}
  expect(madeUp.has('wrong password')).toBe(true)
  if (curl !== undefined && curl.length > 0) expect(curl.join()).toContain('wrong password')
})

describe('no secret reaches', () => {
  it.each<[string, () => Promise<(report: RunReport) => string>]>([
    ...Object.entries(reportFormats),
    [
      'terminal',
      async () => (each) => reportLines(each, { paint: createPaint(false), verbose: true }).join('\n'),
    ],
  ])('%s', async (_, load) => {
    const print = await load()
    const text = print(report)
    expect(report.findings.filter(({ status }) => status === 'fail').length).toBeGreaterThan(inFull ? 10 : 5)
    expect(secrets.size).toBeGreaterThan(50)
    const kept = [...secrets].filter((secret) => !ordinary.has(secret))
    expect(kept.filter((secret) => forms(secret).some((form) => text.includes(form)))).toEqual([])
  })
})
