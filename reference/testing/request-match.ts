/**
 * Which requests are meant: one way to say it for faults on demand and for the request log.
 *
 * @module
 */

import type { OperationId } from '../../spec/vocabulary.ts'
import type { RequestLine } from './operation-of.ts'

/** All that is given has to fit. */
export interface RequestPattern {
  method?: string
  /** After the prefix; `*` stands for anything. */
  path?: string | RegExp
  operation?: OperationId
  /** As the request named it. */
  table?: string
  id?: string
  /** Of the answer; nothing fits before it is there. */
  status?: number
}

/**
 * `'createRecord'`, an operation · `'/collections/posts/*'`, a path with `*` for anything · `'POST /batch'`, both
 * with a method · a regular expression for `METHOD path` · a pattern · a function.
 */
export type RequestMatch = OperationId | (string & {}) | RegExp | RequestPattern | RequestTest

export interface MatchableRequest extends RequestLine {
  readonly status?: number | undefined
}

export type RequestTest = (request: MatchableRequest) => boolean

function glob(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

function byText(text: string): RequestTest {
  if (/^\w+$/.test(text)) return ({ operation }) => operation === text
  const [, method, path = text] = /^([A-Z]+) (\/.*|\*)$/.exec(text) ?? []
  if (!path.startsWith('/') && path !== '*') {
    throw new Error(`"${text}" names no request: write an operation, a path, or a method and a path.`)
  }
  const pattern = glob(path)
  return (request) => (method === undefined || request.method === method) && pattern.test(request.path)
}

function byPattern({ path, ...exact }: RequestPattern): RequestTest {
  const pattern = typeof path === 'string' ? glob(path) : path
  const wanted = Object.entries(exact).filter(([, value]) => value !== undefined)
  return (request) =>
    (pattern === undefined || pattern.test(request.path)) &&
    wanted.every(([key, value]) => request[key as keyof MatchableRequest] === value)
}

/** @throws Error for a text that is neither an operation nor a path */
export function requestTest(match: RequestMatch = '*'): RequestTest {
  if (typeof match === 'function') return match
  if (typeof match === 'string') return byText(match)
  if (match instanceof RegExp) return ({ method, path }) => match.test(`${method} ${path}`)
  return byPattern(match)
}

/** The match as a message says it. */
export function matchText(match: RequestMatch = '*'): string {
  if (typeof match === 'string') return match
  if (typeof match === 'function') return match.name || 'a function'
  return match instanceof RegExp ? String(match) : JSON.stringify(match)
}
