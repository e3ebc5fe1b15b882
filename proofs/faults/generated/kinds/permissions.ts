/**
 * Each check of a token, scope or rule skipped: for each operation and kind of token, and for each table; and the
 * reverse, a token that is not taken.
 *
 * @module
 */

import { loadTables } from '../../../../spec/tables.ts'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import { withToken } from '../../combinators/auth.ts'
import { isJsonObject } from '../../combinators/combinators.ts'
import { type Breach, breachCallers, type Seen } from '../breach.ts'
import { withJson } from '../from-copy.ts'
import { insteadOf, Unchanged } from '../instead-of.ts'
import type { RecordedTraffic } from '../recording.ts'

const RECORDS = ['listRecords', 'viewRecord', 'createRecord', 'updateRecord', 'deleteRecord'] as const

/** Those that ask who sends a request; the others are open to everyone. */
const GUARDED: readonly string[] = [...RECORDS, 'batch', 'authRefresh', 'impersonate', 'requestEmailChange']
const rules = {
  listRecords: 'listRule',
  viewRecord: 'viewRule',
  createRecord: 'createRule',
  updateRecord: 'updateRule',
  deleteRecord: 'deleteRule',
} as const

export function permissionBreaches({ byOperation }: RecordedTraffic): Breach[] {
  const operations = [...byOperation.keys()].filter((id): id is OperationId => id !== '').sort()
  const guarded = operations.filter((id) => GUARDED.includes(id))
  return [
    ...guarded.flatMap((operation) =>
      breachCallers
        .filter((caller) => caller !== 'superuser')
        .flatMap((caller) => skipped(operation, `token ${caller}`, (seen) => seen.caller === caller)),
    ),
    ...operations.flatMap((operation) =>
      (['user', 'superuser', 'key'] as const).map((caller) =>
        ignored(operation, `token ${caller}`, (seen) => seen.caller === caller),
      ),
    ),
    ...loadTables().flatMap(({ role, definition }) =>
      // An empty rule lets everyone.
      RECORDS.filter((operation) => definition[rules[operation]] !== '').flatMap((operation) =>
        skipped(
          operation,
          `rule of ${role}`,
          (seen) => seen.table === definition.name && (seen.caller === 'guest' || seen.caller === 'user'),
        ),
      ),
    ),
    ...(['POST', 'PATCH', 'DELETE'] as const).flatMap((method) =>
      breachCallers
        .filter((caller) => caller !== 'superuser')
        .flatMap((caller) =>
          skipped(
            'batch',
            `${method} entries, token ${caller}`,
            (seen) => seen.caller === caller && entriesHave(seen, method),
          ),
        ),
    ),
  ]
}

function entriesHave({ sent }: Seen, method: string): boolean {
  return (
    isJsonObject(sent) &&
    Array.isArray(sent.requests) &&
    sent.requests.some((entry) => isJsonObject(entry) && entry.method === method)
  )
}

function skipped(operation: OperationId, part: string, when: (seen: Seen) => boolean): Breach[] {
  const concerns = (seen: Seen) => seen.operation === operation && when(seen)
  const isRejected = ({ status }: Seen) => status >= 400 && status < 500
  const breach = (mutation: string, make: Pick<Breach, 'watch' | 'make'>): Breach => ({
    ...make,
    name: `${operation} · ${part} · ${mutation}`,
    kind: 'permission',
    operation,
  })
  return [
    breach(
      'rejected requests are carried out',
      insteadOf(concerns, isRejected, async (request, _seen, { reference, asSuperuser }) => {
        const again = request.clone()
        const response = await reference.fetch(request)
        if (response.status < 400) return new Unchanged(response)
        const allowed = await asSuperuser(again)
        return allowed.ok ? allowed : new Unchanged(response)
      }),
    ),
    breach(
      'rejections have status 200',
      insteadOf(concerns, isRejected, async (request, seen, { reference }) => {
        const response = await reference.fetch(request)
        if (response.status < 400) return new Unchanged(response)
        return Response.json(operation === 'listRecords' ? emptyList : { id: seen.id ?? 'any000000000000' })
      }),
    ),
    ...(operation === 'listRecords' || operation === 'viewRecord'
      ? [
          breach(
            'shows what a superuser sees',
            insteadOf(
              concerns,
              (seen) => seen.status === 200,
              async (request, _seen, { reference, asSuperuser }) => {
                const again = request.clone()
                const [mine, all] = [await reference.fetch(request), await asSuperuser(again)]
                if (!mine.ok || !all.ok) return new Unchanged(mine)
                return (await mine.clone().text()) === (await all.clone().text()) ? new Unchanged(mine) : all
              },
            ),
          ),
        ]
      : []),
  ]
}

const emptyList = { page: 1, perPage: 30, totalItems: 0, totalPages: 0, items: [] }

/** The caller counts as a guest. */
function ignored(operation: OperationId, part: string, when: (seen: Seen) => boolean): Breach {
  return {
    ...insteadOf(
      (seen) => seen.operation === operation && when(seen),
      () => true,
      async (request, seen, { reference }) => {
        const body =
          seen.sent === undefined
            ? request
            : withJson(request, seen.url.pathname + seen.url.search, seen.sent)
        return reference.fetch(await withToken(body, undefined))
      },
    ),
    name: `${operation} · ${part} · not accepted`,
    kind: 'permission',
    operation,
  }
}
