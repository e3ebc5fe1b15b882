/**
 * Realtime: clients that listen to changes of records over server-sent events, as the official client of the living
 * family does. Changes are sent once they are committed, in their order.
 *
 * @module
 */

import { apiKeysTableName } from '../../auth/api-keys.ts'
import { createClock, createEnvironment } from '../../environment/environment.ts'
import { elapsed, turn } from '../../environment/timers.ts'
import { ApiError, inResponse } from '../../errors.ts'
import type { Services } from '../../services.ts'
import type { Change, Commit } from '../../store/commit.ts'
import { changeEvent } from './change-event.ts'
import { Connection } from './connection.ts'
import { openEventStream, type StreamLimits } from './event-stream.ts'

export interface RealtimeLimits extends StreamLimits {
  /** Most connections at a time. */
  connections: number
  /** Most changes that wait to be sent. Above it all connections end, and their clients reconnect. */
  waiting: number
}

/** These are the durations of the living family. */
export const defaultRealtimeLimits: RealtimeLimits = {
  idle: 5 * 60_000,
  longest: 30 * 60_000,
  buffered: 4 * 1024 * 1024,
  connections: 1_000,
  waiting: 20_000,
}

/** What tests can read and control of realtime. */
export interface Realtime {
  /** How many clients are connected. */
  readonly connections: number
  /** Resolves when everything committed before was sent to the clients. */
  idle(): Promise<void>
  /** Ends all connections, like a server restart. Clients of the living family then reconnect. */
  disconnect(): void
}

/** Realtime with the methods that the routes use. */
export interface RealtimeInternals extends Realtime {
  /**
   * Opens a stream. Its first event contains the id of the connection.
   *
   * @param signal aborts when the client disconnects
   * @throws ApiError 429 above the limit of connections
   */
  connect(ip: string, signal: AbortSignal): Connection
  find(id: string): Connection | undefined
  /** Changes the topics of a connection, after everything committed before was sent to it. */
  resubscribe(change: () => void): Promise<void>
  /** Discards changes that are not sent yet. */
  forget(): void
}

/** Not `alphanumeric`: with a seed, the ids of connections depend on this order. */
const idAlphabet = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
const idLength = 40
/** Milliseconds of sending after which other requests can run. */
const stretch = 10

/** All topics that match a change. Older clients use the forms without a slash. */
function pathsOf({ table: { name, id }, row }: Change): string[] {
  return [`${name}/${row.id}`, `${id}/${row.id}`, `${name}/*`, `${id}/*`, name, id]
}

/**
 * The index of the first change in a commit that the connections of an account receive in its new state. The connections
 * of a deleted account receive the whole commit as that account, as in the living family: records that lose their
 * reference to the account change in the same commit.
 */
function accountsChanged({ changes }: Commit): ReadonlyMap<string, number> {
  const from = new Map<string, number>()
  for (const [at, { table, row, action }] of changes.entries()) {
    if (table.type !== 'auth') continue
    const name = `${table.id}/${row.id}`
    from.set(name, action === 'delete' ? Number.POSITIVE_INFINITY : (from.get(name) ?? at))
  }
  return from
}

/** A change to be sent. */
interface Announcement {
  change: Change
  commit: Commit
  /** Position in the commit. */
  at: number
  accounts: ReadonlyMap<string, number>
}

/** One step of the queue: sends a change, or runs a function between two changes. */
type Task = Announcement | { step: () => void }

/** @param limits for tests */
export function createRealtime(
  services: Services,
  limits: RealtimeLimits = defaultRealtimeLimits,
): RealtimeInternals {
  const connections = new Map<string, Connection>()
  // The time at which clients connect differs from run to run, so ids of records must not depend on it.
  const { random } = createEnvironment({ clock: createClock() })
  let waiting: Task[] = []
  let sending: Promise<void> | undefined
  let unwatch: (() => void) | undefined

  async function announce({ change, commit: { before, after }, at, accounts }: Announcement): Promise<void> {
    // For a deleted record, rules are evaluated in the state before the deletion.
    const reader = change.action === 'delete' ? before : after
    // The same callers with the same topics get the same event.
    const made = new Map<string, string | undefined>()
    const paths = pathsOf(change)
    let since = elapsed()
    for (const { identity, ip, stream, topics } of [...connections.values()]) {
      const wanted = paths.flatMap(topics)
      if (wanted.length === 0) continue
      const asBefore = at < (accounts.get(identity.name) ?? 0)
      const caller = identity.callerIn(asBefore ? before : reader)
      // Sessions of one account can end separately.
      const who = caller.kind === 'guest' ? '' : identity.name
      for (const topic of wanted) {
        const key = `${who}\n${topic.text}`
        if (!made.has(key)) made.set(key, changeEvent(change, topic, { services, caller, ip, reader }))
        const data = made.get(key)
        if (data !== undefined) stream.send(topic.text, data)
      }
      if (elapsed() - since < stretch) continue
      await turn()
      since = elapsed()
    }
  }

  async function work(): Promise<void> {
    // The write that caused the event is not delayed.
    await turn()
    for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
      try {
        if ('step' in task) task.step()
        else await announce(task)
      } catch (error) {
        services.log(error)
      }
    }
    sending = undefined
  }

  function queue(...tasks: readonly Task[]): void {
    waiting.push(...tasks)
    sending ??= work()
  }

  function end(): void {
    for (const { stream } of [...connections.values()]) stream.end()
  }

  function receive(commit: Commit): void {
    const accounts = accountsChanged(commit)
    const announcements = commit.changes
      .map((change, at) => ({ change, commit, at, accounts }))
      .filter(({ change: { table } }) => table.name !== apiKeysTableName)
    if (waiting.length + announcements.length > limits.waiting) end()
    else queue(...announcements)
  }

  const forget = () => {
    waiting = waiting.filter((task) => 'step' in task)
  }

  return {
    connect(ip, signal) {
      if (connections.size >= limits.connections)
        throw new ApiError(
          429,
          inResponse,
          `There are ${limits.connections} open realtime connections, the maximum: close some.`,
        )
      const id = random(idAlphabet, idLength)
      const stream = openEventStream(id, limits, signal, () => {
        connections.delete(id)
        if (connections.size > 0) return
        unwatch?.()
        unwatch = undefined
        forget()
      })
      const connection = new Connection(id, ip, stream)
      connections.set(id, connection)
      unwatch ??= services.store.watch(receive)
      stream.send('PB_CONNECT', JSON.stringify({ clientId: id }))
      // It ends only now that the connection is known: otherwise nothing would remove it.
      if (signal.aborted) stream.end()
      return connection
    },
    find: (id) => connections.get(id),
    async resubscribe(change) {
      if (sending === undefined) return change()
      await new Promise<void>((resolve) => {
        queue({
          step() {
            change()
            resolve()
          },
        })
      })
    },
    get connections() {
      return connections.size
    },
    async idle() {
      while (sending !== undefined) await sending
    },
    forget,
    disconnect: end,
  }
}
