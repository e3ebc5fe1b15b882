/**
 * Matching of requests, for faults on demand and for the request log.
 *
 * @module
 */

import { isObject } from '../../exchange/json-object.ts'
import { operationPaths } from '../../spec/generated/operations.ts'
import { globPattern } from '../../spec/glob-pattern.ts'
import { didYouMean, nearest } from '../../spec/nearest.ts'
import { rejectUnknown } from '../../spec/reject-unknown.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import type { Table } from '../vocabulary.ts'
import type { RequestLine } from './request-line.ts'

const operations: readonly string[] = operationPaths.map(({ id }) => id)

/** All given properties must match. */
export interface RequestPattern {
  /** In capitals: `POST`. @default any */
  method?: string | undefined
  /** After the prefix; `*` matches anything. @default any */
  path?: string | RegExp | undefined
  /** Operation of the interface: `createRecord`. @default any */
  operation?: OperationId | undefined
  /** As the request spelled it. @default any */
  table?: string | undefined
  /** Id of the record, as the request named it. @default any */
  id?: string | undefined
  /** Status of the response. Nothing matches before there is one. @default any */
  status?: number | undefined
}

/**
 * `'createRecord'`, an operation · `'/collections/posts/*'`, a path with `*` for anything · `'POST /batch'`, both
 * with a method · a regular expression for `METHOD path` · a pattern · a function.
 */
export type RequestMatch = OperationId | (string & {}) | RegExp | RequestPattern | RequestTest

/** What a function that matches requests receives. */
export interface MatchableRequest extends RequestLine {
  /** Status of the response, once there is one. */
  readonly status?: number | undefined
}

/** True for the requests that match. */
export type RequestTest = (request: MatchableRequest) => boolean

/** A test that waits for an impossible match would pass or fail for the wrong reason. @throws Error */
function knownOperation(name: string): void {
  if (operations.includes(name)) return
  throw new Error(
    `There is no operation "${name}".${didYouMean(name, operations)} Available: ${operations.join(', ')}.`,
  )
}

const patternKeys: Record<keyof RequestPattern, true> = {
  method: true,
  path: true,
  operation: true,
  table: true,
  id: true,
  status: true,
}

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const firstSegments = [...new Set<string>(operationPaths.map(({ segments }) => segments[0]))]

/** @throws Error for a path that no request of the interface has, but almost */
function rejectNearMiss(text: string, path: string, prefix: string): void {
  if (prefix !== '' && path.startsWith(`${prefix}/`))
    throw new Error(
      `"${text}" matches no request: paths do not include the prefix. Write "${path.slice(prefix.length)}".`,
    )
  const first = path.split('/')[1] ?? ''
  const meant = nearest(first, firstSegments, 2)
  if (meant !== undefined && meant !== first)
    throw new Error(`"${text}" matches no request. Did you mean "/${meant}${path.slice(first.length + 1)}"?`)
}

function byText(text: string, prefix: string): RequestTest {
  if (/^\w+$/.test(text)) {
    knownOperation(text)
    return ({ operation }) => operation === text
  }
  const [, method, path = text] = /^([A-Z]+) (\/.*|\*)$/.exec(text) ?? []
  if (!path.startsWith('/') && path !== '*') {
    throw new Error(`"${text}" names no request: write an operation, a path, or a method and a path.`)
  }
  if (method !== undefined && !methods.includes(method))
    throw new Error(
      `"${text}" has an unknown method.${didYouMean(method, methods)} Valid values: ${methods.join(', ')}.`,
    )
  rejectNearMiss(text, path, prefix)
  const pattern = globPattern(path)
  return (request) => (method === undefined || request.method === method) && pattern.test(request.path)
}

function byPattern(given: RequestPattern): RequestTest {
  rejectUnknown(given, Object.keys(patternKeys), 'part of a request pattern')
  const { path, ...exact } = given
  if (exact.operation !== undefined) knownOperation(exact.operation)
  const pattern = typeof path === 'string' ? globPattern(path) : path
  const wanted = Object.entries(exact).filter(([, value]) => value !== undefined)
  return (request) =>
    (pattern === undefined || pattern.test(request.path)) &&
    wanted.every(([key, value]) => request[key as keyof MatchableRequest] === value)
}

/**
 * @param prefix of the reference, which paths do not include
 * @throws Error for a string that is neither an operation nor a path, for an unknown operation, and for a path that no
 *   request can have; TypeError for anything else
 */
export function requestTest(match: RequestMatch = '*', prefix = ''): RequestTest {
  if (typeof match === 'function') return match
  if (typeof match === 'string') return byText(match, prefix)
  if (!isObject(match))
    throw new TypeError(
      `"match" is ${JSON.stringify(match)}: write an operation, a path, or a method and a path.`,
    )
  if (match instanceof RegExp) return ({ method, path }) => match.test(`${method} ${path}`)
  return byPattern(match)
}

/** The table that a match names in full; undefined if it names none, or several with a `*`. */
function tableOfMatch(match: RequestMatch | undefined): string | undefined {
  if (typeof match === 'function' || match instanceof RegExp) return undefined
  const { table, path }: RequestPattern = typeof match === 'string' ? { path: match } : (match ?? {})
  if (table !== undefined || typeof path !== 'string') return table
  const [, name] = /^(?:[A-Z]+ )?\/(?:collections|files)\/([^/*]+)(?:\/|$)/.exec(path) ?? []
  return name
}

/**
 * Requests may name any table. But where there is a table with almost this name, the match is meant for it, and would
 * wait in vain.
 *
 * @throws Error with the name of that table
 */
export function rejectNearTable(match: RequestMatch | undefined, tables: Iterable<Table>): void {
  const name = tableOfMatch(match)
  if (name === undefined) return
  const all = [...tables]
  if (all.some((table) => table.id === name || table.name.toLowerCase() === name.toLowerCase())) return
  const names = all.filter(({ system }) => !system).map((table) => table.name)
  const hint = didYouMean(name, names)
  if (hint !== '') throw new Error(`"${matchText(match)}": there is no table "${name}".${hint}`)
}

/** The match for messages. */
export function matchText(match: RequestMatch = '*'): string {
  if (typeof match === 'string') return match
  if (typeof match === 'function') return match.name || 'a function'
  return match instanceof RegExp ? String(match) : JSON.stringify(match)
}
