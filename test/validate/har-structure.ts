/**
 * The structure of HAR 1.2, as its specification names required keys and their types.
 *
 * @module
 */

type Kind = 'string' | 'number' | 'object' | 'array'
type Shape = Record<string, Kind>

const log: Shape = { version: 'string', creator: 'object', entries: 'array' }
const entry: Shape = {
  startedDateTime: 'string',
  time: 'number',
  request: 'object',
  response: 'object',
  cache: 'object',
  timings: 'object',
}
const message: Shape = {
  httpVersion: 'string',
  cookies: 'array',
  headers: 'array',
  headersSize: 'number',
  bodySize: 'number',
}
const request: Shape = { ...message, method: 'string', url: 'string', queryString: 'array' }
const response: Shape = {
  ...message,
  status: 'number',
  statusText: 'string',
  content: 'object',
  redirectURL: 'string',
}
const content: Shape = { size: 'number', mimeType: 'string' }
const postData: Shape = { mimeType: 'string', text: 'string' }
const timings: Shape = { send: 'number', wait: 'number', receive: 'number' }
const pair: Shape = { name: 'string', value: 'string' }

type Json = Record<string, unknown>

/** Everything that the specification of HAR 1.2 finds wrong. */
export function faultsOfHar(har: unknown): string[] {
  const faults: string[] = []
  function check(value: unknown, shape: Shape, place: string): Json {
    const object = (value ?? {}) as Json
    for (const [key, kind] of Object.entries(shape)) {
      const is = Array.isArray(object[key]) ? 'array' : typeof object[key]
      if (is !== kind) faults.push(`${place}.${key} is ${is}, not ${kind}`)
    }
    return object
  }
  function pairs(value: unknown, place: string): void {
    for (const [at, each] of ((value ?? []) as unknown[]).entries()) check(each, pair, `${place}[${at}]`)
  }

  const { log: inner } = har as Json
  const { entries, creator } = check(inner, log, 'log')
  check(creator, { name: 'string', version: 'string' }, 'creator')
  for (const [at, each] of (entries as unknown[]).entries()) {
    const place = `entries[${at}]`
    const whole = check(each, entry, place)
    const asked = check(whole.request, request, `${place}.request`)
    const reported = check(whole.response, response, `${place}.response`)
    pairs(asked.headers, `${place}.request.headers`)
    pairs(asked.queryString, `${place}.request.queryString`)
    pairs(reported.headers, `${place}.response.headers`)
    check(reported.content, content, `${place}.content`)
    if (asked.postData !== undefined) check(asked.postData, postData, `${place}.postData`)
    const { send, wait, receive } = check(whole.timings, timings, `${place}.timings`)
    if (Number(send) + Number(wait) + Number(receive) !== whole.time)
      faults.push(`${place}.time is not the sum of its timings`)
    if (new Date(String(whole.startedDateTime)).toISOString() !== whole.startedDateTime)
      faults.push(`${place}.startedDateTime is no instant`)
  }
  return faults
}
