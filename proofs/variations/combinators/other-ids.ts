import { percentDecoded } from '../../../exchange/percent-decoded.ts'
import { soundEntriesOf } from '../../faults/combinators/batch.ts'
import { fieldRejection } from '../../faults/combinators/field.ts'
import type { Variation } from '../variation.ts'

export interface OtherIds {
  /** The id that clients see for the nth record, from 1. */
  make(n: number): string
  /** Ids that a client may give to a new record. @default none */
  given?: RegExp
  /** Whether a record gets the first id that no other record has any more. @default false */
  reuses?: boolean
  /** The reference's own id for one that a client gave. */
  short?(given: string): string
}

/** Records have ids of another form: each represents one of the reference's own. */
export function withIds({ make, given, short, reuses = false }: OtherIds): Variation['make'] {
  return () => {
    const shown = new Map<string, string>()
    const own = new Map<string, string>()
    const pair = (long: string, id: string) => {
      shown.set(id, long)
      own.set(long, id)
    }
    const outside = (text: string) =>
      text.replace(/(?<=")[a-z0-9]{15}(?=")/g, (id) => {
        if (!shown.has(id)) pair(nextId(), id)
        return shown.get(id) ?? id
      })
    const nextId = () => {
      let n = reuses ? 1 : shown.size + 1
      while (own.has(make(n))) n += 1
      return make(n)
    }
    const free = (id: string | undefined) => {
      const long = id === undefined ? undefined : shown.get(id)
      if (long === undefined || id === undefined) return
      shown.delete(id)
      own.delete(long)
    }
    const ownOf = (long: string) => {
      if (!own.has(long) && short !== undefined && given?.test(long)) pair(long, short(long))
      return own.get(long)
    }
    // A value of the provider may look like an id without being one.
    const quoted = (text: string) =>
      text.replace(/("code":)?"([^"\\]+)"/g, (whole, code: string | undefined, long: string) => {
        const id = code === undefined ? ownOf(long) : undefined
        return id === undefined ? inUrl(whole) : `"${id}"`
      })
    const inUrl = (text: string) =>
      text.replace(
        /(?<=\/(?:records|impersonate)\/)[^/?#"]+/g,
        (segment) => ownOf(percentDecoded(segment) ?? segment) ?? segment,
      )
    const inQuery = (url: URL) => {
      for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, quoted(value))
      return url.href
    }
    return async (request, next) => {
      const text = await request.text()
      const [, id] = /"id":"([^"]*)"/.exec(text) ?? []
      if (id !== undefined && given?.test(id) !== true) return fieldRejection(400)
      const headers = new Headers(request.headers)
      headers.delete('content-length')
      const isJson = (headers.get('content-type') ?? '').startsWith('application/json')
      if (text !== '' && !isJson) return fieldRejection(415)
      const url = inQuery(new URL(inUrl(request.url)))
      const body = text === '' ? null : quoted(text)
      const response = await next(new Request(url, { method: request.method, headers, body }))
      if (reuses && response.ok)
        for (const path of deletedBy(request.method, url, text)) free(/[a-z0-9]{15}$/.exec(inUrl(path))?.[0])
      const answer = await response.text()
      return new Response(answer === '' ? null : outside(answer), {
        status: response.status,
        headers: { 'content-type': 'application/json' },
      })
    }
  }
}

/** Paths of the records that a request deletes. */
function deletedBy(method: string, url: string, text: string): string[] {
  if (method === 'DELETE') return [new URL(url).pathname]
  return url.endsWith('/batch')
    ? soundEntriesOf(text).flatMap((entry) => (entry.method === 'DELETE' ? [String(entry.url)] : []))
    : []
}

/** Tables have identifiers of another form, in paths, batches and records. */
export function withIdentifiers(make: (own: string) => string): Variation['make'] {
  return () => {
    const own = new Map<string, string>()
    const outside = (text: string) =>
      text.replace(/(?<=")conf_\w+_\d{4}(?=")/g, (identifier) => {
        const shown = make(identifier)
        own.set(shown, identifier)
        return shown
      })
    const inside = (text: string) =>
      [...own].reduce(
        (changed, [shown, identifier]) => changed.replaceAll(`/${shown}/`, `/${identifier}/`),
        text,
      )
    return async (request, next) => {
      const { method } = request
      const isJson = (request.headers.get('content-type') ?? '').startsWith('application/json')
      const body = isJson ? inside(await request.text()) : await request.arrayBuffer()
      const headers = new Headers(request.headers)
      headers.delete('content-length')
      const bare = method === 'GET' || method === 'HEAD'
      const sent = new Request(inside(request.url), { method, headers, body: bare ? null : body })
      const response = await next(sent)
      const text = await response.text()
      return new Response(text === '' ? null : outside(text), response)
    }
  }
}
