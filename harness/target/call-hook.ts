/**
 * Calls a hook of the target: an address that accepts and returns JSON by POST, a module that exports a function with
 * the hook's name (or a default one), or a hook in another thread of this process.
 *
 * @module
 */

import { existsSync } from 'node:fs'
import { createConnection } from 'node:net'
import { dirname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { socketAddress } from '../../exchange/socket-address.ts'
import { ConfigurationError, messageOf } from '../errors.ts'
import { UntestableError } from '../judging/expect.ts'
import type { Target } from '../vocabulary/target.ts'
import { wrongHookResult } from './hook-results.ts'
import { type Hook, isOwnHook } from './hook-server.ts'
import { callOffered, isOffered, knockAt, OfferedHookError } from './offer-hooks.ts'

/**
 * Maximum number of calls of a hook that only reads, as long as its connection breaks. Another hook might do something
 * twice.
 */
const mostTries = 3

/** The address of a hook sent no complete response. */
class NoHookResponse extends Error {
  override name = 'NoHookResponse'
  /** Whether the suite offers the hook itself. */
  readonly isOwn: boolean

  constructor(address: string, error: unknown) {
    const { code } = error as NodeJS.ErrnoException
    super(`no response from ${new URL(address).origin} (${code ?? messageOf(error)})`, { cause: error })
    this.isOwn = isOwnHook(address)
  }
}

/** The hook responded, and did not do what was requested. */
class HookRejection extends Error {
  override name = 'HookRejection'
}

/** The same, as a mistake of the tester. */
class HookRejectionError extends ConfigurationError {}

/**
 * Calls a hook for a check. A hook that rejects one request may accept the next: only this check cannot be judged.
 *
 * @throws UntestableError if the target does not have the hook, or the hook rejects the request
 * @throws ConfigurationError if the hook cannot be reached or loaded
 */
export async function callHookForCheck(
  target: Pick<Target, 'hooks'>,
  name: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  try {
    return await callHook(target, name, input)
  } catch (error) {
    if (!(error instanceof HookRejectionError)) throw error
    throw new UntestableError(error.fact, error.next)
  }
}

/**
 * @throws UntestableError if the target does not have the hook
 * @throws ConfigurationError if the hook cannot be reached or fails
 */
export async function callHook(
  { hooks = {} }: Pick<Target, 'hooks'>,
  name: string,
  input: Record<string, unknown>,
): Promise<unknown> {
  const place = hooks[name]
  if (place === undefined) throw new UntestableError(`the hook "${name}" is missing`, hookHint(name))
  try {
    const result = await resultOf(place, name, input)
    const wrong = wrongHookResult(name, input, result)
    if (wrong !== undefined) throw new HookRejection(wrong)
    return result
  } catch (error) {
    const kind = error instanceof HookRejection ? HookRejectionError : ConfigurationError
    throw new kind(
      `the hook "${name}" failed${whatFor(name, input)}: ${messageOf(error)}`,
      `hooks.${name}`,
      nextStep(error),
    )
  }
}

async function resultOf(place: string, name: string, input: Record<string, unknown>): Promise<unknown> {
  switch (kindOf(place)) {
    case 'thread':
      return await callOffered(place, input).catch(rejectOffered)
    case 'address':
      return await sendRequest(place, input, name === 'mailbox' ? mostTries : 1)
    case 'module':
      return await callLoaded(await load(place, name), input)
  }
}

/** What a key was requested for: a hook may know other keys. */
function whatFor(name: string, { tables, actions }: Record<string, unknown>): string {
  return name === 'createApiKey' && Array.isArray(tables) && Array.isArray(actions)
    ? ` for ${actions.join(', ')} on ${tables.join(', ')}`
    : ''
}

function nextStep(error: unknown): string {
  if (!(error instanceof NoHookResponse)) return 'see docs/targets.md for what each hook takes and returns'
  return error.isOwn
    ? 'the suite offers this hook itself, so neither the server nor the target file is the cause: run again, with less load on this machine'
    : 'check the program that offers the hook; the server under test is not the cause'
}

/**
 * Loads the modules of a target's hooks, so that a mistake in them ends a run before its first request. A run does it in
 * the thread that calls them: in another one, each module would run once more.
 *
 * @throws ConfigurationError if one cannot be loaded, or does not export its hook
 */
export async function loadHooks({ hooks = {} }: Pick<Target, 'hooks'>): Promise<void> {
  for (const [name, place] of Object.entries(hooks)) {
    if (!isModule(place)) continue
    try {
      await load(place, name)
    } catch (error) {
      throw new ConfigurationError(
        `the hook "${name}" cannot be loaded: ${messageOf(error).split('\n')[0]}`,
        `hooks.${name}`,
        'correct the path, which is relative to the target file, or the module; see docs/targets.md for what a hook is',
      )
    }
  }
}

/**
 * The hooks of a target file, with absolute paths of modules. A path is relative to the file, as that of `setup`; one that
 * exists only in the working directory is used from there.
 */
export function hooksIn(file: string, hooks: Readonly<Record<string, string>> = {}): Record<string, string> {
  const places = Object.entries(hooks).map(([name, place]) => {
    if (!isModule(place)) return [name, place]
    const own = resolve(dirname(file), place)
    return [name, existsSync(own) || !existsSync(place) ? own : resolve(place)]
  })
  return Object.fromEntries(places)
}

/** Whether a hook is a function in a module. */
export function isModule(place: string): boolean {
  return kindOf(place) === 'module'
}

/**
 * Checks that a hook is reachable, without calling it. `loadHooks` does it for modules.
 *
 * @throws Error if it is not reachable
 */
export async function probeHook(place: string): Promise<void> {
  const kind = kindOf(place)
  if (kind === 'thread') await knockAt(place)
  if (kind === 'address') await connectTo(new URL(place))
}

/** The configuration line that adds a hook. */
export function hookHint(name: string): string {
  if (name === 'mailbox')
    return 'target file: "services": { "smtp": { "port": 2525 } }, or "hooks": { "mailbox": "..." }'
  if (name === 'provider') return 'target file: "services": { "oidc": { "port": 9000 } }'
  return `target file: "hooks": { "${name}": "..." }`
}

function kindOf(place: string): 'thread' | 'address' | 'module' {
  if (isOffered(place)) return 'thread'
  return /^https?:/.test(place) ? 'address' : 'module'
}

async function sendRequest(address: string, input: Record<string, unknown>, tries: number): Promise<unknown> {
  let response: Awaited<ReturnType<typeof post>>
  try {
    response = await post(address, JSON.stringify(input))
  } catch (error) {
    if (tries > 1) return sendRequest(address, input, tries - 1)
    throw new NoHookResponse(address, error)
  }
  const { status, location, text } = response
  if (status >= 300 && status < 400)
    throw new Error(`it redirects (${status}) to ${location ?? 'no URL'}: use that URL`)
  if (status < 200 || status > 299) throw new HookRejection(`${status} ${text.slice(0, 300)}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function post(address: string, body: string) {
  // Only here: the main thread of a run also imports this module, and loading it is a tenth of a short run.
  const { request } = await import('undici')
  const {
    statusCode,
    headers,
    body: received,
  } = await request(address, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
    // A server closes idle connections. A busy machine notices that only when it has sent the next request over one.
    reset: true,
  })
  return { status: statusCode, location: headers.location, text: await received.text() }
}

function rejectOffered(error: unknown): never {
  if (!(error instanceof OfferedHookError)) throw error
  throw new HookRejection(error.message, { cause: error })
}

async function callLoaded(hook: Hook, input: Record<string, unknown>): Promise<unknown> {
  try {
    return await hook(input)
  } catch (error) {
    throw new HookRejection(messageOf(error), { cause: error })
  }
}

async function load(path: string, name: string): Promise<Hook> {
  const file = resolve(path)
  if (!existsSync(file)) throw new Error(`there is no file ${file}`)
  const module = (await import(pathToFileURL(file).href)) as Record<string, unknown>
  const hook = module[name] ?? module.default
  if (typeof hook !== 'function') throw new Error(`${path} exports neither "${name}" nor a default function`)
  return hook as Hook
}

function connectTo(url: URL): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = createConnection(socketAddress(url), () => {
      socket.destroy()
      resolve()
    })
    socket.on('error', reject)
  })
}
