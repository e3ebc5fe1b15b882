/**
 * Each second route to the same thing goes wrong while the first is right: the table by its identifier, another caller,
 * a form instead of JSON, a parameter of the query, another method, a slash at the end.
 *
 * @module
 */

import { matchOperation } from '../../../../exchange/operation.ts'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import { isJsonObject, type JsonValue, json } from '../../combinators/combinators.ts'
import { type Breach, breachCallers, type Seen } from '../breach.ts'
import { fromCopy } from '../from-copy.ts'
import { insteadOf } from '../instead-of.ts'
import type { RecordedTraffic } from '../recording.ts'

/** A way to ask for an operation that has a usual way, too. */
type Route = (seen: Seen) => boolean

const parameters = ['page', 'perPage', 'filter', 'sort', 'expand', 'fields', 'skipTotal'] as const

const routes: Readonly<Record<string, Route>> = {
  'by identifier': ({ table, tableSent }) => table !== undefined && table !== tableSent,
  ...Object.fromEntries(
    breachCallers.map((each) => [`by caller ${each}`, ({ caller }: Seen) => caller === each]),
  ),
  'as a form': ({ type }) => type.startsWith('multipart/') || type.startsWith('application/x-www'),
  ...Object.fromEntries(
    parameters.map((name) => [`with ${name}`, ({ url }: Seen) => url.searchParams.has(name)]),
  ),
  'with an entry by identifier': entry(
    ({ url }) => !String(url).includes('/collections/conf_') || /_\d{4}\//.test(String(url)),
  ),
  'with a POST entry': entry(({ method }) => method === 'POST'),
  'with a PATCH entry': entry(({ method }) => method === 'PATCH'),
  'with a DELETE entry': entry(({ method }) => method === 'DELETE'),
  'with expand in an entry': entry(({ url }) => String(url).includes('expand=')),
}

function entry(when: (entry: JsonValue) => boolean): Route {
  return ({ sent }) =>
    isJsonObject(sent) &&
    Array.isArray(sent.requests) &&
    sent.requests.some((each) => isJsonObject(each) && when(each))
}

const rejected = (status: number) => json(status, { data: {}, message: 'Rejected.', status })

export function routeBreaches({ byOperation, exchanges }: RecordedTraffic): Breach[] {
  const recorded = [...byOperation.keys()].filter((id): id is OperationId => id !== '').sort()
  const ofOperations = recorded.flatMap((operation) => {
    const seen = (byOperation.get(operation) ?? []).filter(({ status }) => status < 300)
    return Object.entries(routes)
      .filter(([, route]) => seen.some(route) && !seen.every(route))
      .flatMap(([name, route]) => ofRoute(operation, name, route))
  })
  return [...ofOperations, ...otherRoutes(exchanges)]
}

function ofRoute(operation: OperationId, name: string, route: Route): Breach[] {
  const concerns = (seen: Seen) => seen.operation === operation && route(seen)
  const succeeds = ({ status }: Seen) => status < 300
  const breach = (mutation: string, make: Pick<Breach, 'watch' | 'make'>): Breach => ({
    ...make,
    name: `${operation} · ${name} · ${mutation}`,
    kind: 'route',
    operation,
  })
  const where = (response: () => Response | undefined) =>
    insteadOf(concerns, succeeds, async () => response())
  const parameter = name.replace('with ', '')
  return [
    breach(
      'rejected with 404',
      where(() => rejected(404)),
    ),
    breach(
      'rejected with 403',
      where(() => rejected(403)),
    ),
    breach(
      'returns an empty object',
      where(() => json(200, {})),
    ),
    ...(/^(list|view)/.test(operation)
      ? []
      : [
          breach(
            'reported as done, but not done',
            insteadOf(concerns, succeeds, (request, _seen, { reference }) => fromCopy(reference, request)),
          ),
        ]),
    ...(parameters.some((each) => each === parameter)
      ? [
          breach(
            'the parameter ignored',
            insteadOf(concerns, succeeds, async (request, _seen, { reference }) => {
              const url = new URL(request.url)
              url.searchParams.delete(parameter)
              return reference.fetch(moved(request, url))
            }),
          ),
        ]
      : []),
    ...(name === 'by identifier'
      ? [
          breach(
            'taken for another table',
            insteadOf(concerns, succeeds, async (request, { tableSent = '' }, { reference }) => {
              const other = tableSent.startsWith('conf_related') ? 'conf_plain' : 'conf_related'
              return reference.fetch(moved(request, new URL(request.url.replace(tableSent, other))))
            }),
          ),
        ]
      : []),
  ]
}

function moved(request: Request, url: URL): Request {
  const { method, headers } = request
  return request.body === null
    ? new Request(url, { method, headers })
    : new Request(url, { method, headers, body: request.body, duplex: 'half' } as RequestInit)
}

/**
 * Requests that do not match an operation exactly: another method, or a slash at the end. Only those that were
 * recorded: the interface does not define either of them.
 */
function otherRoutes(exchanges: readonly Seen[]): Breach[] {
  const names = new Set(exchanges.flatMap((seen) => otherRouteName(seen) ?? []))
  return [...names].sort().flatMap((name) =>
    [200, 204, 401, 404, 405, 500].flatMap((status): Breach[] => {
      const concerns = (seen: Seen) => otherRouteName(seen) === name
      return [
        {
          ...insteadOf(
            concerns,
            (seen) => seen.status !== status,
            async (request, _seen, { reference }) =>
              (await reference.fetch(request)).status === status ? undefined : json(status, {}),
          ),
          name: `${name} · ${status}`,
          kind: 'route',
        },
      ]
    }),
  )
}

function otherRouteName({ operation, method, url }: Seen): string | undefined {
  if (operation !== undefined) return undefined
  const path = url.pathname.replace(/\/+$/, '')
  for (const other of [method, 'GET', 'POST', 'PATCH', 'DELETE']) {
    const match = matchOperation(other, path)
    if (match === undefined) continue
    const how = [other === method ? '' : `method ${method}`, path === url.pathname ? '' : 'slash at the end']
    return `${match.operation.id} · ${how.filter((each) => each !== '').join(', ')}`
  }
  return undefined
}
