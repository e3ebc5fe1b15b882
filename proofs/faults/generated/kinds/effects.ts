/**
 * Each effect of each writing operation: reported but not done, done twice, done to all records of the table, done to
 * another record, done with other values. The response is correct: it comes from a copy of the server.
 *
 * @module
 */

import { loadTables } from '../../../../spec/tables.ts'
import type { OperationId } from '../../../../spec/vocabulary.ts'
import { isJsonObject, type JsonValue } from '../../combinators/combinators.ts'
import { alterations, dropped } from '../alterations.ts'
import type { Breach, BreachCaller, BreachTools, Seen } from '../breach.ts'
import { breachCallers } from '../breach.ts'
import { fromCopy, others, pathOf, withJson } from '../from-copy.ts'
import type { RecordedTraffic } from '../recording.ts'
import { labelOf, tableInPath } from '../schema-nodes.ts'

/** Has an effect that differs from what the response reports. */
type Instead = (request: Request, seen: Seen, tools: BreachTools) => Promise<void>

const READS: readonly OperationId[] = ['listRecords', 'viewRecord', 'listAuthMethods']
const FIELD_WRITES = ['createRecord', 'updateRecord', 'batch'] as const

export function effectBreaches({ byOperation }: RecordedTraffic): Breach[] {
  const writes = [...byOperation.keys()].filter((id): id is OperationId => id !== '' && !READS.includes(id))
  return [
    ...writes.sort().flatMap((operation) => [
      effect(operation, 'effect', 'omitted', () => true, omitted),
      effect(operation, 'effect', 'done twice', () => true, twice),
      // Requests with an invalid token have no effect.
      ...breachCallers
        .filter((caller) => caller !== 'invalid')
        .map((caller) =>
          effect(operation, `effect for ${callerName(caller)}`, 'omitted', by(caller), omitted),
        ),
    ]),
    ...loadTables().flatMap(({ role, definition }) => ofTable(role, definition.name)),
    ...FIELD_WRITES.flatMap((operation) => fieldTypes().flatMap((label) => ofType(operation, label))),
    ...(['POST', 'PATCH', 'DELETE'] as const).flatMap(ofEntries),
    ...confirmations,
  ]
}

const callerName = (caller: BreachCaller) => (caller === 'key' ? 'an API key' : `a ${caller}`)
const by = (caller: BreachCaller) => (seen: Seen) => seen.caller === caller
const omitted: Instead = async () => {}
const twice: Instead = async (request, _seen, { reference }) => {
  const again = request.clone()
  await reference.fetch(request)
  await reference.fetch(again)
}

function effect(
  operation: OperationId,
  part: string,
  mutation: string,
  when: (seen: Seen) => boolean,
  instead: Instead,
): Breach {
  const concerns = (seen: Seen) => seen.operation === operation && when(seen)
  return {
    name: `${operation} · ${part} · ${mutation}`,
    kind: 'effect',
    operation,
    watch: () => (seen) => seen.status < 300 && concerns(seen),
    make: (tools) => async (request, next) => {
      const seen = await tools.read(request)
      if (!concerns(seen)) return next(request)
      const response = await fromCopy(tools.reference, request.clone())
      if (!response.ok) return next(request)
      tools.met()
      await instead(request, seen, tools)
      return response
    },
  }
}

function ofTable(role: string, name: string): Breach[] {
  const here = (seen: Seen) => seen.table === name
  const part = `effect in ${role}`
  return [
    effect('createRecord', part, 'omitted', here, omitted),
    effect('createRecord', part, 'done twice', here, twice),
    effect('updateRecord', part, 'omitted', here, omitted),
    effect('updateRecord', part, 'done to all records', here, (request, seen, tools) =>
      toRecords(request, seen, tools, Number.POSITIVE_INFINITY, true),
    ),
    effect('updateRecord', part, 'done to another record', here, (request, seen, tools) =>
      toRecords(request, seen, tools, 1, false),
    ),
    effect('deleteRecord', part, 'omitted', here, omitted),
    effect('deleteRecord', part, 'done to all records', here, (request, seen, tools) =>
      toRecords(request, seen, tools, Number.POSITIVE_INFINITY, true),
    ),
    effect('deleteRecord', part, 'done to another record', here, (request, seen, tools) =>
      toRecords(request, seen, tools, 1, false),
    ),
  ]
}

/** Sends the same request for other records of the table, as superuser; and first for its own, where asked. */
async function toRecords(
  request: Request,
  seen: Seen,
  tools: BreachTools,
  most: number,
  own: boolean,
): Promise<void> {
  const { table = '', id = '' } = seen
  const ids = await others(tools, request, table, id, most)
  const copies = ids.map((other) => withJson(request, pathOf(tools, table, other), seen.sent))
  if (own) await tools.reference.fetch(request)
  for (const copy of copies) await tools.asSuperuser(copy)
}

/** The types of fields that the tables of the suite have. */
function fieldTypes(): string[] {
  const labels = loadTables().flatMap(({ definition }) =>
    (definition.fields ?? []).map(({ name }) => labelOf(name, definition)),
  )
  return [...new Set(labels)].filter((label) => label.startsWith('{') || label === 'email').sort()
}

/** Values of one type that a response shows but that are not stored, or stored differently. */
function ofType(operation: (typeof FIELD_WRITES)[number], label: string): Breach[] {
  const stored = {
    'not stored': alterations.dropped,
    'stored altered': alterations.altered,
    'stored as null': alterations.null,
  }
  return Object.entries(stored).flatMap(([mutation, alter]) => {
    if (alter === undefined) return []
    const change = (body: unknown, table: string | undefined) => changedFields(body, table, label, alter)
    const changed = ({ sent, table }: Seen) =>
      operation === 'batch'
        ? changedEntries(sent, (entry) => change(entry.body, tableOf(entry)))
        : change(sent, table)
    return effect(
      operation,
      `values of ${label}`,
      mutation,
      (seen) => changed(seen) !== undefined,
      async (request, seen, { reference }) => {
        await reference.fetch(withJson(request, seen.url.pathname + seen.url.search, changed(seen)))
      },
    )
  })
}

/** Undefined if nothing is changed. */
function changedFields(
  body: unknown,
  table: string | undefined,
  label: string,
  alter: (value: unknown) => unknown,
): JsonValue | undefined {
  if (!isJsonObject(body)) return undefined
  const definition = tableInPath(table)
  const found = Object.keys(body).filter((key) => labelOf(key, definition) === label)
  if (found.length === 0) return undefined
  const values = found.map((key) => [key, alter(body[key])] as const).filter(([, value]) => value !== dropped)
  const kept = Object.entries(body).filter(([key]) => !found.includes(key))
  return Object.fromEntries([...kept, ...values])
}

/** A batch with other bodies; undefined if nothing is changed. */
function changedEntries(
  sent: unknown,
  change: (entry: JsonValue) => JsonValue | undefined,
): JsonValue | undefined {
  if (!isJsonObject(sent) || !Array.isArray(sent.requests)) return undefined
  const bodies = sent.requests.map((entry: unknown) => (isJsonObject(entry) ? change(entry) : undefined))
  if (bodies.every((body) => body === undefined)) return undefined
  return {
    ...sent,
    requests: sent.requests.map((entry: JsonValue, at) =>
      bodies[at] === undefined ? entry : { ...entry, body: bodies[at] },
    ),
  }
}

const tableOf = ({ url }: JsonValue) => /\/collections\/([^/]+)\//.exec(String(url))?.[1]

/** Entries of a batch by their method. */
function ofEntries(method: string): Breach[] {
  const entriesIn = ({ sent }: Seen): JsonValue[] =>
    isJsonObject(sent) && Array.isArray(sent.requests) ? sent.requests.filter(isJsonObject) : []
  const has = (seen: Seen) => entriesIn(seen).some((entry) => entry.method === method)
  const sends =
    (change: (entry: JsonValue) => JsonValue[]): Instead =>
    async (request, seen, { reference }) => {
      const requests = entriesIn(seen).flatMap((entry) => (entry.method === method ? change(entry) : [entry]))
      if (requests.length > 0) await reference.fetch(withJson(request, seen.url.pathname, { requests }))
    }
  const part = `${method} entries`
  return [
    effect(
      'batch',
      part,
      'omitted',
      has,
      sends(() => []),
    ),
    ...(method === 'DELETE'
      ? []
      : [
          effect(
            'batch',
            part,
            'done twice',
            has,
            sends((entry) => [entry, entry]),
          ),
        ]),
    ...(method === 'POST'
      ? []
      : [
          effect('batch', part, 'done to another record', has, async (request, seen, tools) => {
            const requests: JsonValue[] = []
            for (const entry of entriesIn(seen))
              requests.push(entry.method === method ? await aimed(entry, request, tools) : entry)
            await tools.reference.fetch(withJson(request, seen.url.pathname, { requests }))
          }),
        ]),
  ]
}

/** The entry for another record of its table. */
async function aimed(entry: JsonValue, request: Request, tools: BreachTools): Promise<JsonValue> {
  const [, table = '', id = ''] = /\/collections\/([^/]+)\/records\/([^/?]+)/.exec(String(entry.url)) ?? []
  const [other = id] = await others(tools, request, table, id, 1)
  return { ...entry, url: String(entry.url).replace(id, other) }
}

/** What the confirmations of the email flows do, done to others. */
const confirmations: Breach[] = (
  [
    ['confirmVerification', () => ({ verified: true })],
    ['confirmPasswordReset', ({ password }: JsonValue) => ({ password, passwordConfirm: password })],
  ] as const
).flatMap(([operation, change]) =>
  (
    [
      ['done to all records', Number.POSITIVE_INFINITY, true],
      ['done to another record', 1, false],
    ] as const
  ).map(([mutation, most, own]) =>
    effect(
      operation,
      'effect',
      mutation,
      () => true,
      async (request, seen, tools) => {
        const { table = '', sent } = seen
        const body = change(isJsonObject(sent) ? sent : {})
        if (own) await tools.reference.fetch(request.clone())
        for (const id of await others(tools, request, table, '', most))
          await tools.asSuperuser(withJson(request, pathOf(tools, table, id), body, 'PATCH'))
      },
    ),
  ),
)
