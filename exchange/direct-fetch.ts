/**
 * The `fetch` for servers on this machine, including those of the run itself: with NODE_USE_ENV_PROXY, their requests
 * would go to the proxy of the environment, which cannot reach them.
 *
 * @module
 */

import type { Agent } from 'undici'

let agent: Agent | undefined

/** Like the global `fetch`, never through a proxy of the environment. */
export async function directFetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
  // A browser has no process.
  const { env, execArgv } = (globalThis.process as NodeJS.Process | undefined) ?? { env: {}, execArgv: [] }
  if (!usesProxy(env, execArgv)) return fetch(url, init)
  const undici = await import('undici')
  agent ??= new undici.Agent()
  // Their types differ from Node's, but not their behavior.
  const options = { ...init, dispatcher: agent } as unknown as Parameters<typeof undici.fetch>[1]
  return (await undici.fetch(url, options)) as unknown as Response
}

/** Whether Node was told to use the proxy of HTTP_PROXY. */
export function usesProxy(
  { NODE_USE_ENV_PROXY: use, NODE_OPTIONS: options = '' }: Readonly<Record<string, string | undefined>>,
  flags: readonly string[],
): boolean {
  return use === '1' || [...options.split(/\s+/), ...flags].includes('--use-env-proxy')
}
