/** Runs the table of cases through one integration. */

import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { inFull } from '../../../scripts/support/in-full.ts'
import type { IntegrationOptions } from '../../../validate/validate.ts'
import { type CaseServer, startCaseServer } from './case-server.ts'
import { type Case, callbackError, caseBody, casePath, cases, limit } from './cases.ts'

/** What came through an integration. The body is read by the test, once. */
export interface Received {
  status: number
  /** What the integration reports about the response, if it does not reject it. */
  verdict?: string | undefined
  body: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

export interface Call {
  url: string
  method: 'GET' | 'HEAD' | 'DELETE'
  signal: AbortSignal
}

/** An integration, set up for one call. */
export interface Opened {
  call(call: Call): Promise<Received>
  close?(): Promise<unknown> | unknown
}

export interface Integration {
  /** @param base of the server that responds as the cases want */
  open(
    options: Pick<IntegrationOptions, 'onResult' | 'limit' | 'profile'>,
    server: CaseServer,
  ): Promise<Opened> | Opened
  /** What it makes of redirects: stops at them, follows and sees the last response only, or sees each. @default 'stops' */
  redirects?: 'stops' | 'last' | 'each'
  /** Gives or reads a body only as a whole, as the client does that it is for. */
  buffers?: boolean
  /** Its client keeps connections for later, and has nothing to close them with. */
  keepsAlive?: boolean
  /** Where it ends differently from what the table says, by name of the case. */
  instead?: Readonly<Record<string, string>>
}

/** Longer than any of them takes on a busy machine. */
const patience = 5_000

let integrations = 0

/** All cases for the first integration of a file. In `npm test` each other one gets a third, each the next third. */
function casesOf(at: number): readonly Case[] {
  return cases.filter((_, each) => inFull || at === 0 || (each + at) % 3 === 0)
}

export function runCases({
  open,
  redirects = 'stops',
  buffers = false,
  keepsAlive = false,
  instead = {},
}: Integration): void {
  const own = casesOf(integrations++)
  let server: CaseServer
  const strays: unknown[] = []
  const stray = (error: unknown) => strays.push(error)
  beforeAll(async () => {
    server = await startCaseServer()
    process.on('unhandledRejection', stray)
  })
  afterAll(async () => {
    process.off('unhandledRejection', stray)
    await server.close()
  })

  it.each(own)('$name', async (each) => {
    const onResult = () => {
      if (each.expected === 'throws') throw new Error(callbackError)
    }
    const integration = await open({ onResult, limit, profile: 'standard' }, server)
    const stop = new AbortController()
    if (each.abort !== undefined)
      server.events.once('request', () =>
        setTimeout(() => stop.abort(), each.abort === 'in the body' ? 60 : 10),
      )
    if (buffers) server.events.once('request', () => setTimeout(() => server.events.emit('continue'), 10))
    const url = `${server.base}${each.path ?? casePath}?case=${encodeURIComponent(each.name)}`
    const call = { url, method: each.method ?? 'GET', signal: stop.signal }
    const outcome = await settled(outcomeOf(integration, call, each, server), 'hangs')
    expect(outcome).toBe(instead[each.name] ?? expectedOf(each, redirects))
    expect(await settled(Promise.resolve(integration.close?.()), 'does not close')).not.toBe('does not close')
    const since = performance.now()
    while (server.open() > 0 && performance.now() - since < patience) {
      if (keepsAlive) server.closeIdle()
      await pause(2)
    }
    expect(server.open(), 'connections left open').toBe(0)
    await pause(0)
    expect(strays.splice(0)).toEqual([])
  })
}

function expectedOf(
  { expected, followed = expected }: Case,
  redirects: Integration['redirects'],
): Case['expected'] {
  if (redirects === 'last') return followed
  return redirects === 'each' && expected === 'passes' ? followed : expected
}

async function settled<T>(promise: Promise<T>, late: string): Promise<T | string> {
  const timer = new AbortController()
  const tooLate = pause(patience, late, { signal: timer.signal }).catch(() => late)
  try {
    return await Promise.race([promise, tooLate])
  } finally {
    timer.abort()
  }
}

/** In the words of the table. */
async function outcomeOf(opened: Opened, call: Call, each: Case, server: CaseServer): Promise<string> {
  try {
    const { status, body, verdict } = await opened.call(call)
    if (verdict !== undefined) return verdict
    const chunks: Uint8Array[] = []
    for await (const chunk of body) {
      chunks.push(chunk)
      if (each.halves) server.events.emit('continue')
    }
    const text = Buffer.concat(chunks).toString()
    const same = status === (each.status ?? 200) && text === caseBody(each)
    return same || follows(status, each, text) ? 'passes' : `passes as ${status} ${text.slice(0, 200)}`
  } catch (error) {
    return outcomeOfError(error, call.signal)
  }
}

function follows(status: number, each: Case, text: string): boolean {
  return each.followed === 'passes' && status === 200 && text === caseBody(each)
}

/** `originalError` is what the official client calls the cause. */
interface Wrapped {
  name: string
  message: string
  actual?: string[]
  cause?: Wrapped
  originalError?: Wrapped
}

function outcomeOfError(error: unknown, signal: AbortSignal): string {
  for (let each = error as Wrapped | undefined; each; each = each.cause ?? each.originalError) {
    const { name, message, actual } = each
    if (message.includes(callbackError)) return 'throws'
    const [requirement] = /[a-z]+\.[a-z-]+(?= {2}MUST)/.exec(message) ?? []
    if (requirement !== undefined) return requirement
    if (name === 'ConformanceError') return `a ConformanceError: ${actual}`
    if (!signal.aborted) continue
    return 'aborts'
  }
  return 'breaks'
}
