/**
 * What `--watch` waits for between two runs: a change of the target file, or a server that is available again.
 *
 * @module
 */

import { setMaxListeners } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { socketAddress } from '../exchange/socket-address.ts'
import { visible } from '../exchange/visible.ts'
import { ConfigurationError } from '../harness/errors.ts'
import { defined } from '../harness/support/defined.ts'
import { contentOf, watchFile } from '../serve/watch-file.ts'
import type { RunFlags } from './run-options.ts'
import { exitCodeOf, untilInterrupted } from './stop-signal.ts'

/** Milliseconds between two attempts to reach an unavailable server. */
const retry = 200
/** Milliseconds for a connection on the same machine or in the same network. */
const connectLimit = 2_000

export interface Watched {
  /** Target file. Absent: none, or a shipped target. */
  file?: string
  /** What the file contained when it was last used. @default its content now */
  content?: Buffer
  /** Where the server is. Absent: the embedded reference, which does not restart. */
  baseUrl?: string
}

/** Why the next run begins. Undefined: the signal was aborted. */
export type WatchEvent = 'file' | 'server' | undefined

/**
 * Waits for the first of them.
 *
 * @param waiting called once nothing that happens from now on is missed
 */
export async function nextChange(
  { file, content, baseUrl }: Watched,
  signal: AbortSignal,
  waiting: () => void = () => {},
): Promise<WatchEvent> {
  const over = new AbortController()
  const ended = AbortSignal.any([signal, over.signal])
  // Each attempt to connect listens to it.
  setMaxListeners(0, ended)
  const waits: Promise<WatchEvent>[] = [
    new Promise((resolve) => {
      if (signal.aborted) resolve(undefined)
      signal.addEventListener('abort', () => resolve(undefined), { once: true })
    }),
  ]
  let unwatch = () => {}
  if (file !== undefined)
    waits.push(
      new Promise((resolve, reject) => {
        unwatch = watchFile(file, content ?? contentOf(file), () => resolve('file'), reject)
      }),
    )
  if (baseUrl === undefined) waiting()
  else waits.push(untilBack(new URL(baseUrl), ended, waiting))
  try {
    return await Promise.race(waits)
  } finally {
    over.abort()
    unwatch()
  }
}

/**
 * Runs, and runs again whenever something changes, until Ctrl-C.
 *
 * @param run one run. Its ConfigurationErrors are printed, since the next change may correct them, unless they are about
 *   other arguments than the target
 * @returns the exit code of a command that a signal ended
 */
export async function watchRuns(
  { target, baseUrl }: Pick<RunFlags, 'target' | 'baseUrl'>,
  run: () => Promise<number>,
): Promise<number> {
  const file = target !== undefined && contentOf(target) !== undefined ? target : undefined
  const address = baseUrl ?? (file === undefined ? undefined : addressIn(file))
  if (file === undefined && address === undefined)
    throw new ConfigurationError(
      '--watch has nothing to watch: the embedded reference does not change',
      '--watch',
      'name a server with --base-url, or a target file with --target',
    )
  for (;;) {
    // A change during the run counts as well.
    const content = file === undefined ? undefined : contentOf(file)
    const code = await run().catch((error: unknown) => {
      if (!(error instanceof ConfigurationError) || isOfArguments(error)) throw error
      process.stderr.write(`${visible(error.message)}\n`)
      return undefined
    })
    // Stopped in the middle of a run.
    if (code !== undefined && code > 128) return code
    const { signal, done } = untilInterrupted(() => {})
    const what = [file, ...(address === undefined ? [] : ['a restart of the server'])].filter(Boolean)
    const event = await nextChange(defined({ file, content, baseUrl: address }), signal, () =>
      process.stderr.write(`\nwaiting for ${what.join(' or ')} (Ctrl-C ends)\n`),
    )
    done()
    if (event === undefined) return exitCodeOf(signal.reason)
    process.stderr.write(event === 'file' ? `\n${file} has changed\n` : '\nthe server is back\n')
  }
}

/** Whether no change of a file or a server corrects it. */
function isOfArguments({ place }: ConfigurationError): boolean {
  return place.startsWith('--') && !/^--(?:target|base-url)\b/.test(place)
}

/** The base URL in a target file of YAML or JSON. Undefined if it has none, or is a module. */
export function addressIn(file: string): string | undefined {
  const [, address] =
    /(?:^|[{,])\s*["']?baseUrl["']?\s*:\s*["']?(https?:\/\/[^"'\s,]+)/m.exec(String(contentOf(file))) ?? []
  return address
}

/**
 * Resolves once the server was gone and accepts connections again.
 *
 * @param waiting called once it is known whether the server is there
 */
async function untilBack(url: URL, signal: AbortSignal, waiting: () => void): Promise<WatchEvent> {
  let wasGone = false
  for (let attempt = 0; !signal.aborted; attempt++) {
    const closed = await connected(url, signal)
    if (attempt === 0 && !signal.aborted) waiting()
    if (closed === undefined) wasGone = true
    else if (wasGone) {
      closed.abort()
      return 'server'
    } else {
      // A server closes idle connections, too: then the next attempt succeeds immediately.
      await closed.ended
      continue
    }
    await sleep(retry, undefined, { signal }).catch(() => {})
  }
  return undefined
}

/** An idle connection. Undefined if none can be made. */
function connected(
  url: URL,
  signal: AbortSignal,
): Promise<{ ended: Promise<void>; abort(): void } | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ ...socketAddress(url), signal })
    const ended = new Promise<void>((end) => socket.once('close', () => end()))
    socket.setTimeout(connectLimit, () => socket.connecting && socket.destroy())
    socket.once('connect', () => resolve({ ended, abort: () => socket.destroy() }))
    socket.on('error', () => resolve(undefined))
    socket.once('close', () => resolve(undefined))
    // The end of the other side ends this one.
    socket.resume()
  })
}
