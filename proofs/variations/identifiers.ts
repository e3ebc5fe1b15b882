/** Identifiers of tables: any string will do (2.1), and a path may have it instead of the name (1). */

import type { Target } from '../../harness/vocabulary/target.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { type Variation, variation, variationsOf } from './variation.ts'

variationsOf('identifiers')

const near = [
  'table.by-name',
  'table.by-id',
  'table.by-id-writes',
  'record.collection-id',
  'record.collection-id-distinct',
  'record.collection-name',
  'record.collection-name-by-id',
  'batch.url',
  'auth.table-by-id',
  'refresh.table-by-id',
  'otp.table-by-id',
  'oauth2.table-by-id',
  'impersonate.table-by-id',
  'flow.table-by-id',
]

/** The tester names tables and leaves their identifiers to the server. */
const byName = (target: Target): Target => ({
  ...target,
  tables: Object.fromEntries(
    Object.entries(target.tables).map(([role, { id: _own, ...table }]) => [role, table]),
  ),
})

const tables = tableDefinitions().map(({ id, name }) => ({ id: String(id), name }))

/** Each table has another identifier, in responses, paths and the paths of sub-requests. */
function withIdentifiers(make: (n: number, name: string) => string): Variation['make'] {
  const shown = new Map(tables.map(({ id, name }, n) => [id, make(n + 1, name)]))
  const own = new Map([...shown].map(([id, other]) => [encodeURIComponent(other), id]))
  const inPaths = (text: string) =>
    text.replace(/(?<=\/collections\/)[^/?"]+/g, (segment) => own.get(segment) ?? segment)
  return () => async (request, next) => {
    const body = request.body === null ? null : await request.arrayBuffer()
    const isBatch = request.url.includes('/batch')
    const sent = isBatch && body !== null ? inPaths(Buffer.from(body).toString()) : body
    const headers = new Headers(request.headers)
    headers.delete('content-length')
    const response = await next(
      new Request(inPaths(request.url), { method: request.method, headers, body: sent }),
    )
    const text = await response.text()
    const reported = text.replace(/(?<="collectionId":")[^"]+/g, (id) =>
      JSON.stringify(shown.get(id) ?? id).slice(1, -1),
    )
    return new Response(text === '' ? null : reported, { status: response.status, headers: response.headers })
  }
}

const options = { because: '2.1 row collectionId', near, target: byName }

variation(
  'the identifiers of tables are whole numbers',
  options,
  withIdentifiers((n) => String(n)),
)
variation(
  'the identifiers of tables are UUIDs',
  options,
  withIdentifiers((n) => `3f0c2b7e-51d4-4a86-9b1d-${String(n).padStart(12, '0')}`),
)
variation(
  'the identifiers of tables contain characters that a path must encode',
  options,
  withIdentifiers((n, name) => `${name}/v${n}==`),
)
variation(
  'the identifier of a table is its name',
  options,
  withIdentifiers((_n, name) => name),
)
