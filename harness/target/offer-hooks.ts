/**
 * Hooks in another thread of this process, called over a channel: a run against the embedded reference calls them more
 * than a thousand times, and over HTTP each call would take as long as a request of a check.
 *
 * @module
 */

import { randomUUID } from 'node:crypto'
import { BroadcastChannel } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import type { Hook, HookServer } from './hook-server.ts'

/** Input and output are JSON, as they are over HTTP. */
interface Question {
  question: string
  name: string
  input: string
}

interface HookResponse {
  /** The question that it is about. */
  to: string
  output?: string
  failed?: string
  /** Whether it failed because no one responds any more. */
  gone?: boolean
}

/** What a hook threw in its own thread. */
export class OfferedHookError extends Error {
  override name = 'OfferedHookError'
}

/** The hooks no longer respond. */
interface End {
  ended: true
}

type Message = { data: Question | HookResponse | End }

interface PendingCalls {
  channel: BroadcastChannel
  /** Pending calls by id. */
  open: Map<string, (response: HookResponse) => void>
  ended: boolean
}

const scheme = 'channel:'
/** Milliseconds. The thread that offers them may have ended. */
const usualPatience = 30_000
/** Maximum of a timer in milliseconds: a longer one would fire immediately. */
const longestPatience = 2 ** 31 - 1

const noOne = 'the hook has stopped responding'

const callsByPlace = new Map<string, PendingCalls>()

/** Offers hooks to the threads of this process, under an unguessable name. */
export function offerHooks(hooks: Readonly<Record<string, Hook>>): HookServer {
  const place = `conformance-hooks-${randomUUID()}`
  const channel = new BroadcastChannel(place)
  let closed = false
  channel.onmessage = async (message: unknown) => {
    const { data } = message as Message
    if (!('question' in data)) return
    const response = await responseTo(data, hooks)
    if (!closed) channel.postMessage(response)
  }
  return {
    hooks: Object.fromEntries(Object.keys(hooks).map((name) => [name, `${scheme}${place}/${name}`])),
    async close() {
      if (closed) return
      closed = true
      tellEnd(channel)
      channel.close()
    },
  }
}

/**
 * Rejects calls on behalf of a thread that ended: pending calls fail, and later ones fail immediately. Does not keep the
 * process alive.
 *
 * @returns a function that ends this
 */
export function endOffered(hooks: Readonly<Record<string, string>> = {}): () => void {
  const places = new Set(Object.values(hooks).filter(isOffered).map(placeOf))
  const channels = [...places].map((place) => {
    const channel = new BroadcastChannel(place)
    channel.onmessage = (message: unknown) => {
      if ('question' in (message as Message).data) tellEnd(channel)
    }
    channel.unref()
    tellEnd(channel)
    return channel
  })
  return () => {
    for (const channel of channels) channel.close()
  }
}

function tellEnd(channel: BroadcastChannel): void {
  channel.postMessage({ ended: true } satisfies End)
}

export function isOffered(address: string): boolean {
  return address.startsWith(scheme)
}

/**
 * Calls a hook of a thread in this process.
 *
 * @param patience milliseconds. @default 30 s more than the hook itself waits
 * @throws OfferedHookError what the hook throws
 * @throws Error if there is no response
 */
export async function callOffered(
  address: string,
  input: Record<string, unknown>,
  patience = patienceWith(input),
): Promise<unknown> {
  const { channel, open, ended } = callsTo(placeOf(address))
  if (ended) throw new Error(noOne)
  const name = address.slice(address.indexOf('/') + 1)
  const question = randomUUID()
  const response = await new Promise<HookResponse>((resolve, reject) => {
    const timer = setTimeout(() => {
      open.delete(question)
      reject(new Error(`no response within ${patience / 1_000} s`))
    }, patience)
    open.set(question, (given) => {
      clearTimeout(timer)
      open.delete(question)
      resolve(given)
    })
    channel.postMessage({ question, name, input: JSON.stringify(input) } satisfies Question)
  })
  if (response.output === undefined)
    throw response.gone === true ? new Error(response.failed) : new OfferedHookError(response.failed)
  return JSON.parse(response.output)
}

/** The input of a mailbox says how long to wait for an email. */
function patienceWith({ wait }: Record<string, unknown>): number {
  if (typeof wait !== 'number' || !Number.isFinite(wait) || wait <= 0) return usualPatience
  return Math.min(usualPatience + wait, longestPatience)
}

/** Checks that the hooks respond. @throws Error */
export async function knockAt(address: string): Promise<void> {
  await callOffered(address.slice(0, address.indexOf('/') + 1), {})
}

function placeOf(address: string): string {
  return address.slice(scheme.length, address.indexOf('/'))
}

/** In this thread. It is not awaited. */
function callsTo(place: string): PendingCalls {
  const known = callsByPlace.get(place)
  if (known !== undefined) return known
  const made: PendingCalls = { channel: new BroadcastChannel(place), open: new Map(), ended: false }
  made.channel.onmessage = (message: unknown) => {
    const { data } = message as Message
    if ('to' in data) made.open.get(data.to)?.(data)
    if (!('ended' in data)) return
    made.ended = true
    made.channel.close()
    for (const [question, give] of [...made.open]) give({ to: question, failed: noOne, gone: true })
  }
  made.channel.unref()
  callsByPlace.set(place, made)
  return made
}

async function responseTo(
  { question, name, input }: Question,
  hooks: Readonly<Record<string, Hook>>,
): Promise<HookResponse> {
  try {
    // A probe.
    if (name === '') return { to: question, output: 'null' }
    const hook = Object.hasOwn(hooks, name) ? hooks[name] : undefined
    if (hook === undefined) throw new Error(`unknown hook "${name}"`)
    return { to: question, output: JSON.stringify((await hook(JSON.parse(input))) ?? null) }
  } catch (error) {
    return { to: question, failed: messageOf(error) }
  }
}
