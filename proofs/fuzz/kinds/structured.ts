/**
 * Sessions of structured requests against a target: each response is judged, and at times that a rejection changes
 * nothing.
 *
 * @module
 */

import type { Arbitrary } from 'fast-check'
import { operations } from '../../../spec/openapi.ts'
import { isSuccess } from '../../../spec/status-range.ts'
import { createValidator } from '../../../validate/validate.ts'
import type { Blanks } from '../blanks.ts'
import { curlOf } from '../curl-of.ts'
import { fillRequest, learn, mayHaveEmailed } from '../fill-request.ts'
import { judgeFuzzed, longestBlock } from '../judge/judge-fuzzed.ts'
import { Misbehaved } from '../misbehaved.ts'
import type { FuzzedRequest, FuzzRequest, FuzzSession, FuzzTarget, ReceivedResponse } from '../vocabulary.ts'
import type { FuzzWorld } from '../world/world.ts'
import type { Observer, Runner } from './rounds.ts'

/** For one in n sessions, the state is compared before and after each rejected write. */
const stateEvery = 25

interface Slow {
  at: number
  cpu: number
}

/** How often a slow request is repeated: what is slow every time is slow on its own, not because of garbage collection. */
const repeats = 3

export function structuredRunner(
  target: FuzzTarget,
  { tables, tokens, secrets }: Pick<FuzzWorld, 'tables' | 'tokens' | 'secrets'>,
  arbitrary: Arbitrary<FuzzRequest[]>,
): Runner<FuzzRequest[]> {
  const validator = createValidator({ tables, profile: 'standard', strict: true })
  let number = 0

  async function once(
    requests: readonly FuzzRequest[],
    observer?: Observer,
    compare = false,
  ): Promise<Slow[]> {
    const session = await target.start()
    const blanks: Blanks = { ...tokens }
    const slow: Slow[] = []
    const step = async (request: FuzzRequest, at: number) => {
      const sent = fillRequest(request, blanks)
      const before = compare && isAtomic(request) ? await session.state?.() : undefined
      const response = await session.send(sent)
      observer?.count(request.operation, response.status, isAccepted(response))
      const [trouble] = await session.troubles()
      if (trouble !== undefined && response.status < 500)
        throw new Misbehaved('crash', firstLines(trouble), trouble)
      judgeFuzzed(validator, secrets, sent, response, request.operation)
      if (before !== undefined) await compareStates(before, session, sent, response, request)
      if (response.cpu > longestBlock) slow.push({ at, cpu: response.cpu })
      else observer?.block(response.cpu, () => curlOf(sent))
      learn(blanks, sent, response)
      if (!mayHaveEmailed(sent)) return
      const mail = await session.newestMail()
      if (mail?.code !== undefined) blanks.otpCode = mail.code
      if (mail?.token !== undefined) blanks.mailToken = mail.token
    }
    for (const [at, request] of requests.entries()) {
      try {
        await step(request, at)
      } catch (error) {
        if (error instanceof Misbehaved) error.at = at
        throw error
      }
    }
    return slow
  }

  async function confirm(
    requests: readonly FuzzRequest[],
    slow: readonly Slow[],
    observer: Observer,
  ): Promise<void> {
    const least = new Map(slow.map(({ at, cpu }) => [at, cpu]))
    for (let again = 1; again < repeats; again++) {
      const now = new Map((await once(requests)).map(({ at, cpu }) => [at, cpu]))
      for (const [at, cpu] of least) least.set(at, Math.min(cpu, now.get(at) ?? 0))
    }
    for (const [at, cpu] of least) {
      const request = requests[at] as FuzzRequest
      if (cpu <= longestBlock) continue
      observer.block(cpu, () => curlOf(fillRequest(request, tokens)))
      const blocks = new Misbehaved(
        'block',
        shapeOf(request),
        `${request.operation} takes ${Math.round(cpu)} ms of CPU`,
      )
      blocks.at = at
      throw blocks
    }
  }

  return {
    arbitrary,
    async run(requests, observer) {
      number += 1
      const slow = await once(requests, observer, observer.shrinking || number % stateEvery === 0)
      if (slow.length > 0) await confirm(requests, slow, observer)
    },
    show: (requests, last = requests.length) =>
      requests.slice(0, last + 1).map((request) => curlOf(fillRequest(request, tokens))),
    close: () => target.close(),
  }
}

const signIns = new Set(operations().flatMap(({ id, tag }) => (tag === 'sign-in' ? [id as string] : [])))

/** A sign-in that ends without a session may have done something already: made the account, verified its address. */
const isAtomic = ({ operation, method }: FuzzRequest) => method !== 'GET' && !signIns.has(operation)

/** A first factor that was right is accepted, too. */
function isAccepted({ status, body }: ReceivedResponse): boolean {
  return isSuccess(status) || (status === 401 && Buffer.from(body).includes('"mfaId"'))
}

async function compareStates(
  before: string,
  session: FuzzSession,
  sent: FuzzedRequest,
  { status }: ReceivedResponse,
  { operation }: FuzzRequest,
): Promise<void> {
  if (status < 400 || before === (await session.state?.())) return
  throw new Misbehaved(
    'changed',
    operation,
    `${sent.method} ${sent.path} was rejected with ${status}, and changed records`,
  )
}

const firstLines = (text: string) => text.split('\n', 3).join(' ').replace(/\d+/g, '#').slice(0, 200)

/** What slow requests have in common, so that each cause is reported once. */
function shapeOf({ path, headers, body }: FuzzRequest): string {
  const type = headers.find(([name]) => name === 'content-type')?.[1]?.split(';')[0]
  const text =
    body === undefined ? decodeLoosely(path.split('?')[1] ?? path) : `${type} ${body.text.slice(0, 16)}`
  return text
    .slice(0, 48)
    .replace(/\d+/g, '#')
    .replace(/(\w+\.){2,}/g, '…')
}

function decodeLoosely(text: string): string {
  try {
    return decodeURIComponent(text.slice(0, 200))
  } catch {
    return text
  }
}
