/**
 * Which of its described parameters, headers, media types and body keys a request has, by name. No value is kept: a name
 * that the description does not have is counted as `query.*` or `body.*`.
 *
 * @module
 */

import { TextDecoder } from 'node:util'
import { headerOf } from '../../exchange/header-of.ts'
import { isBytes } from '../../exchange/is-bytes.ts'
import { isForm } from '../../exchange/is-form.ts'
import { isObject, jsonObject } from '../../exchange/json-object.ts'
import { mediaType } from '../../exchange/media-type.ts'
import type { RequestFacts } from '../../exchange/plain-exchange.ts'
import { queryOf } from '../../exchange/query-of.ts'
import { splitUrl } from '../find-operation.ts'
import type { OperationEntry } from '../operation-entries.ts'

/** Names of a server by the names of the description: `query.limit` is `query.perPage`. Names that are alike are not in it. */
export type ServerNames = ReadonlyMap<string, string>

/** Characters or bytes of a body that are read for its keys. Whatever is larger was made to be large. */
const mostRead = 64 * 1024
const others = ['query.*', 'body.*']
const partName = /^content-disposition:[^\r\n]*?\bname="([^"\r\n]*)"/gim
const noNames: ServerNames = new Map()

/** In the order of the description, then what it does not have. */
export function sentParameters(
  { parameters }: OperationEntry,
  { url, headers, body }: RequestFacts,
  names: ServerNames = noNames,
): string[] {
  const found = new Set<string>()
  const add = (sent: string) => {
    const name = names.get(sent) ?? sent
    found.add(parameters.includes(name) ? name : `${name.slice(0, name.indexOf('.'))}.*`)
  }
  const [, query] = splitUrl(url)
  if (query !== '') for (const key of queryOf(query).keys()) add(`query.${key}`)
  for (const name of [...names.keys(), ...parameters])
    if (name.startsWith('header.') && headerOf(headers, name.slice('header.'.length)) !== undefined) add(name)
  const contentType = mediaType(headerOf(headers, 'content-type'))
  if (hasBody(body) && parameters.includes(`content.${contentType}`)) found.add(`content.${contentType}`)
  const keys = keysOf(body, contentType)
  for (const key of Object.keys(keys)) {
    add(`body.${key}`)
    for (const name of namesWithin(keys[key], `body.${key}`, parameters)) found.add(name)
  }
  const described = parameters.filter((name) => found.has(name))
  return [...described, ...others.filter((name) => found.has(name) && !parameters.includes(name))]
}

function hasBody(body: unknown): boolean {
  return body !== undefined && body !== null && body !== ''
}

/** The keys of a body; what is behind them is known of JSON only. */
function keysOf(body: unknown, contentType: string): Readonly<Record<string, unknown>> {
  if (isForm(body)) return named(body.keys())
  if (isBytes(body) && !contentType.startsWith('multipart/'))
    return body.length > mostRead ? {} : keysOf(new TextDecoder().decode(body), contentType)
  if (contentType.startsWith('multipart/')) return named(partNames(body))
  if (typeof body === 'string' && body.length > mostRead) return {}
  if (contentType === 'application/x-www-form-urlencoded' && typeof body === 'string')
    return named(queryOf(body).keys())
  return jsonObject(body) ?? {}
}

/** Large files come in forms, too: what is behind the beginning is not read. */
function partNames(body: unknown): string[] {
  const start = isBytes(body) ? new TextDecoder('latin1').decode(body.subarray(0, mostRead)) : body
  if (typeof start !== 'string') return []
  return [...start.slice(0, mostRead).matchAll(partName)].map(([, name = '']) => name)
}

function named(names: Iterable<string>): Record<string, undefined> {
  return Object.fromEntries([...names].map((name) => [name, undefined]))
}

/** Described names of what is in an object, or in the objects of a list. */
function namesWithin(value: unknown, place: string, parameters: readonly string[]): string[] {
  if (Array.isArray(value)) {
    const items = `${place}[]`
    if (!parameters.some((name) => name.startsWith(items))) return []
    return value.flatMap((item) => namesWithin(item, items, parameters))
  }
  if (!isObject(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const name = `${place}.${key}`
    return parameters.includes(name) ? [name, ...namesWithin(inner, name, parameters)] : []
  })
}
