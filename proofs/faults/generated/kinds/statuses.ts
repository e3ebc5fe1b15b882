/**
 * Each status of each operation changed: a success that looks like a rejection, a rejection that looks like a success,
 * another status of the same class. Described statuses that no response has are listed by the coverage of a run.
 *
 * @module
 */

import { operations } from '../../../../spec/openapi.ts'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import type { Breach } from '../breach.ts'
import { changesResponse, type ResponseChange } from '../changes-response.ts'
import type { RecordedTraffic } from '../recording.ts'

/** 429 and 503 are left out: the suite waits for them. */
const others = [200, 201, 202, 204, 302, 400, 401, 403, 404, 500] as const

export function statusBreaches({ byOperation }: RecordedTraffic): Breach[] {
  return operations().flatMap(({ id }) => {
    const recorded = new Set((byOperation.get(id) ?? []).map(({ status }) => status))
    return [...recorded]
      .sort((a, b) => a - b)
      .flatMap((from) => [
        ...others.filter((to) => to !== from).map((to) => breachOf(id, from, `${to}`, to, (body) => body)),
        breachOf(id, from, '200 with an empty object', 200, () => ({})),
        ...(from === 204 ? [] : [breachOf(id, from, `${from} without a body`, from, () => undefined)]),
      ])
  })
}

function breachOf(
  operation: OperationId,
  from: number,
  mutation: string,
  to: number,
  bodyFor: (body: unknown) => unknown,
): Breach {
  const change: ResponseChange = ({ status, body }) => {
    if (status !== from) return undefined
    const other = bodyFor(body)
    return to === from && other === body ? undefined : { status: to, body: to === 204 ? undefined : other }
  }
  return {
    ...changesResponse(operation, () => change),
    name: `${operation} · status ${from} · ${mutation}`,
    kind: 'status',
    operation,
  }
}
