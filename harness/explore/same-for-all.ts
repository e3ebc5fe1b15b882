/**
 * Recognizes a server that sends the same to everything: a page, an empty object, a redirect to a sign-in. Each check
 * would fail for this one reason.
 *
 * @module
 */

import { visible } from '../../exchange/visible.ts'
import { isAboutPermission, isSuccess } from '../../spec/status-range.ts'
import { ConfigurationError } from '../errors.ts'
import { NO_TABLE } from '../support/no-record.ts'
import type { ExploredResponse, SendRequest } from './send-request.ts'

/** Tables that are requested under the first two prefixes. */
const mostNames = 8
/** Characters of a response that are compared: pages and errors that are the same everywhere are so from their start. */
const mostCompared = 100_000
/** Characters of the response that a message shows. */
const mostShown = 60

/** What a server does that sends the same to everything, and what to do next. */
export interface OneResponse {
  fact: string
  next: string
  /** Whether it may be a server that only lets someone in who is known to it. @default false */
  mayBeClosed?: boolean
}

/**
 * Sends at most 30 requests: lists of tables that are likely and of one that cannot exist, under each prefix.
 *
 * @param names of likely tables
 * @throws ConfigurationError if requests that have nothing in common get one and the same response
 */
export async function expectDifferences(
  sendRequest: SendRequest,
  baseUrl: string,
  prefixes: readonly string[],
  names: readonly string[],
): Promise<void> {
  const same = await sameForAll(sendRequest, prefixes, names)
  if (same !== undefined && same.mayBeClosed !== true)
    throw new ConfigurationError(same.fact, baseUrl, same.next)
}

/** As `expectDifferences`, which ends a run. Undefined where responses differ, as they should. */
export async function sameForAll(
  sendRequest: SendRequest,
  prefixes: readonly string[],
  names: readonly string[],
): Promise<OneResponse | undefined> {
  const everywhere = [NO_TABLE, 'users']
  const likely = [...new Set([...everywhere, ...names])].slice(0, mostNames)
  const paths = prefixes.flatMap((prefix, at) =>
    (at < 2 ? likely : everywhere).map((name) => `${prefix}/collections/${encodeURIComponent(name)}/records`),
  )
  const responses = await Promise.all([...paths, `/${NO_TABLE}`].map((path) => sendRequest(path)))
  const [first] = responses
  if (first === undefined || new Set(responses.map(likeness)).size > 1) return undefined
  const response = shown(first)
  if (first.redirect !== undefined && samePlace(responses))
    return {
      fact: `the server redirects every request to ${first.redirect}, and redirects are not followed`,
      next: "use --header 'NAME:$VARIABLE' if a gateway in front of the server requires a credential, or correct --base-url",
    }
  // The document passes the token of an account in the same header (section 5.1).
  if (responses.every(({ wantsBasic }) => wantsBasic === true))
    return {
      fact: 'every request is rejected with 401 and `WWW-Authenticate: Basic`, as by a gateway in front of the server: the interface itself uses the Authorization header, for tokens',
      next: "use the address of the server behind the gateway, or let the gateway read its credential from another header: --header 'NAME:$VARIABLE'",
    }
  if (isSuccess(first.status))
    return {
      fact: `the server sends the same response to every request, even for paths that cannot exist: ${response}`,
      next:
        first.type === 'text/html'
          ? 'use the address of the API, not of its web page, or check that the server passes API paths on to it'
          : 'check that --base-url leads to the interface, and that its routes are registered',
    }
  if (first.status >= 500)
    return {
      fact: `the server fails on every request, even for paths that cannot exist: ${response}`,
      next: 'check the log of the server, and what it depends on',
    }
  if (isAboutPermission(first.status))
    return {
      fact: `the server rejects every request, even for paths that cannot exist: ${response}`,
      next: "use --header 'NAME:$VARIABLE' if a gateway in front of the server requires a credential or another header",
      mayBeClosed: true,
    }
  return undefined
}

/** What two responses have in common if the server treats both requests alike. */
export function likeness({ status, type, text, redirect }: ExploredResponse): string {
  return JSON.stringify([status, type, redirect ?? wordsOf(text)])
}

/** A response may repeat the path, and count or name the request. */
function wordsOf(text: string): string {
  return text
    .slice(0, mostCompared)
    .replaceAll(/(?<![\w/-])[\w/-]*(collections|conf_no_such_table)[\w/-]*/g, '')
    .replaceAll(/[0-9a-f-]{8,}|\d+/gi, '')
}

function samePlace(responses: readonly ExploredResponse[]): boolean {
  return new Set(responses.map(({ redirect }) => redirect)).size === 1
}

function shown({ status, type, text }: ExploredResponse): string {
  const words = text.slice(0, mostCompared).replaceAll(/\s+/g, ' ').trim()
  const start = words.length > mostShown ? `${words.slice(0, mostShown)}…` : words
  const parts = [`status ${status}`, type, words === '' ? 'an empty body' : start]
  return visible(parts.filter((part) => part !== '').join(', '))
}
