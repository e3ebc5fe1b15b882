/**
 * The operations of the control endpoints and of the console page, each once. `npm run generate` writes the table of
 * control operations in docs/serve.md.
 *
 * @module
 */

import { isObject } from '../exchange/json-object.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { emailKinds } from '../reference/auth/mail/template.ts'
import { changesOf, fileOf } from '../reference/services-of.ts'
import { tokenKinds } from '../reference/testing/actors.ts'
import type { FaultOptions } from '../reference/testing/fault-options.ts'
import { quoted } from '../spec/nearest.ts'
import { askInside } from './console/ask-inside.ts'
import { describeTable, summarizeTables } from './console/describe-tables.ts'
import { eventResponse, eventStream } from './console/event-stream.ts'
import { summaryOf } from './exchange-summary.ts'
import { listMail, longestWait } from './list-mail.ts'
import { mintToken } from './mint-token.ts'
import { nextUser } from './next-user.ts'
import { controlOperation, type ServeOperation } from './operation.ts'
import { repeatableExchange, repeatRequest } from './repeat-request.ts'
import {
  addRecords,
  addServedTables,
  currentState,
  inventRecords,
  mostMade,
  replaceData,
  rereadFile,
  storedRecords,
} from './replace-data.ts'
import { InvalidControlRequest } from './respond.ts'
import type { DataRow } from './served-data.ts'

const both = ['control', 'console'] as const
const control = ['control'] as const
const console = ['console'] as const

const clockFacts = '`{ now, frozen, ahead }`'

export const controlOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: '',
    groups: control,
    returns: 'an index: `{ operations }`, each with its method, path, keys and parameters',
    run: () => ({ operations: controlOperations.flatMap(indexEntry) }),
  }),
  controlOperation({
    method: 'POST',
    path: 'reset',
    groups: both,
    returns: '204. Resets to the data that was loaded last, and the clock to its start',
    async run({ serving }) {
      await serving.settled()
      serving.exchanges.mark()
      serving.reset()
    },
  }),
  controlOperation({
    method: 'POST',
    path: 'snapshot',
    groups: control,
    returns: '`{ id }`',
    run: ({ serving }) => serving.snapshots.take(),
  }),
  controlOperation({
    method: 'POST',
    path: 'restore',
    groups: control,
    body: { id: { type: 'string', says: 'a snapshot. Default: the last one that was taken' } },
    returns: '`{ id }`',
    async run({ serving, body }) {
      const restored = serving.snapshots.restore(body.id)
      await serving.settled()
      serving.exchanges.mark()
      return restored
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'clock',
    groups: both,
    returns: clockFacts,
    run: ({ serving }) => serving.clock.facts(),
  }),
  controlOperation({
    method: 'POST',
    path: 'clock',
    groups: both,
    body: {
      set: { type: 'any', says: 'a time, in ISO 8601 or in milliseconds since 1970, or `system`' },
      advance: { type: 'any', says: 'milliseconds, or a string such as `90s`, `15m`, `2h` or `1d`' },
      freeze: { type: 'any', says: '`true`, or the time to stop at' },
      unfreeze: { type: 'any', says: '`true`' },
    },
    returns: clockFacts,
    run: ({ serving, body }) => serving.clock.command(body),
  }),
  controlOperation({
    method: 'POST',
    path: 'token',
    groups: both,
    body: {
      table: { type: 'string', required: true, says: 'an auth table' },
      id: { type: 'string', required: 'email', says: 'the account' },
      email: { type: 'string', required: 'id', says: 'the account, by its address' },
      kind: {
        type: 'string',
        oneOf: tokenKinds,
        says: '`auth` (a session, the default), `static` (a session that cannot be refreshed), `file`, `verification`, `passwordReset` or `emailChange`',
      },
      duration: { type: 'integer', says: 'number of seconds; a negative number creates an expired token' },
      newEmail: { type: 'string', says: 'the new address, for `emailChange`' },
    },
    returns: '`{ token, kind, table, id }`',
    run: ({ serving, body }) => mintToken(serving.reference, body),
  }),
  controlOperation({
    method: 'GET',
    path: 'api-keys',
    groups: both,
    returns: 'a list of keys, without their secrets',
    run: ({ serving }) => serving.reference.apiKeys.list(),
  }),
  controlOperation({
    method: 'POST',
    path: 'api-keys',
    groups: both,
    body: {
      name: { type: 'string', says: 'a name, to tell keys apart' },
      tables: { type: 'strings', required: 'revoke', says: 'tables of the new key; `*` for all' },
      actions: {
        type: 'strings',
        oneOf: ['list', 'view', 'create', 'update', 'delete'],
        required: 'revoke',
        says: '`list`, `view`, `create`, `update`, `delete`: what it may do',
      },
      revoke: { type: 'string', says: 'revoke the key with this id instead of creating one' },
    },
    returns: 'the key, including its secret, or 204',
    async run({ serving, body: { revoke, name = '', tables = [], actions = [] } }) {
      const { apiKeys } = serving.reference
      if (revoke === undefined) return apiKeys.create({ name, tables, actions })
      if (await apiKeys.revoke(revoke)) return undefined
      throw new InvalidControlRequest('There is no API key with this id.', 404)
    },
  }),
  controlOperation({
    method: 'POST',
    path: 'oauth2',
    groups: control,
    body: {
      sub: { type: 'string', required: 'reject', says: 'id of the user at the provider' },
      email: { type: 'string', says: 'address of the user' },
      emailVerified: { type: 'boolean', says: 'whether the provider has verified it. Default: `true`' },
      name: { type: 'string', says: 'name for display' },
      username: { type: 'string', says: 'name to sign in with' },
      avatarURL: { type: 'string', says: 'address of a picture' },
      reject: {
        type: 'string',
        oneOf: ['token', 'user'],
        says: 'simulate a failure: reject the code, or return a token without a user',
      },
      authURL: {
        type: 'string',
        says: 'the `authURL` from auth-methods with the redirect URL appended; performs the browser’s part. Default: the next sign-in, with any code, is that of this user',
      },
    },
    returns: '`{ code }`, or `{ url }` that the provider redirects to',
    run: ({ serving, body }) => nextUser(serving, body),
  }),
  controlOperation({
    method: 'POST',
    path: 'fault',
    groups: control,
    body: {
      match: {
        type: 'string',
        says: 'the requests: an operation (`createRecord`), a path with `*`, or a method and a path (`POST /collections/posts/*`). Paths do not include the prefix. Default: all',
      },
      status: { type: 'any', says: 'status of the response' },
      body: { type: 'any', says: 'body of the response' },
      headers: { type: 'any', says: 'headers of the response' },
      delay: { type: 'any', says: 'milliseconds before the response, or `[least, most]`' },
      drop: {
        type: 'any',
        says: '`true` or `request`, `response`, or `{ afterBytes }`: ends the connection',
      },
      expired: { type: 'any', says: '`true`: the token of the caller counts as expired' },
      times: { type: 'any', says: 'how often. Default: always' },
      after: { type: 'any', says: 'number of requests that pass first' },
      clear: { type: 'boolean', says: '`true`: remove all faults (send no other keys)' },
    },
    returns: '`{ planned }`',
    run({ serving: { reference }, body: { clear, ...fault } }) {
      if (clear !== true) reference.fault(fault as FaultOptions)
      else if (Object.keys(fault).length === 0) reference.clearFaults()
      else throw new InvalidControlRequest('"clear" removes all faults: send it without other keys.')
      return { planned: clear !== true }
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'mail',
    groups: both,
    query: {
      to: { says: 'address of the recipient' },
      kind: {
        oneOf: emailKinds,
        says: '`verification`, `password-reset`, `email-change`, `otp` or `login-alert`',
      },
      wait: { most: longestWait, says: `milliseconds to wait for an email, at most ${longestWait}` },
    },
    returns: '`{ mails }` with `code`, `token`, `link`, or 408 if none arrived',
    run: ({ serving, query }) => listMail(serving.reference, query),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'mail',
    groups: both,
    returns: '204. Empties the mailbox',
    run: ({ serving }) => serving.reference.mail.clear(),
  }),
  controlOperation({
    method: 'GET',
    path: 'state',
    groups: both,
    returns:
      'the whole state, secrets included, in the form that `--data` and `POST state` read: `{ version, tables, records, ... }`',
    run: ({ serving }) => currentState(serving),
  }),
  controlOperation({
    method: 'POST',
    path: 'state',
    groups: both,
    content: 'what a data file holds, in any of its formats',
    returns:
      '`{ tables, records, notices }`: names and counts, once the data is served in place of all other',
    run: ({ serving, content }) => replaceData(serving, content),
  }),
  controlOperation({
    method: 'POST',
    path: 'reload',
    groups: control,
    returns:
      '`{ tables, records, notices }`, once the data file has been read again. 409 without a data file',
    run: ({ serving }) => rereadFile(serving),
  }),
  controlOperation({
    method: 'GET',
    path: 'records/{table}',
    groups: control,
    returns: '`{ records }`: all records of the table, with hidden fields, without secrets',
    run: ({ serving, parameters: { table = '' } }) => ({ records: storedRecords(serving, table) }),
  }),
  controlOperation({
    method: 'POST',
    path: 'records/{table}',
    groups: control,
    content: 'a record, or an array of records',
    returns: '`{ records, notices }`, as they are stored. Rules do not apply; all are added, or none',
    run: async ({ serving, content, parameters: { table = '' } }) => {
      const rows = recordsIn({ [table]: Array.isArray(content) ? content : [content] })
      const { records, notices } = await addRecords(serving, rows)
      return { records: records[table], notices }
    },
  }),
  controlOperation({
    method: 'POST',
    path: 'make/{table}',
    groups: control,
    body: {
      count: { type: 'integer', least: 1, most: mostMade, says: `how many, at most ${mostMade}. Default: 1` },
      values: { type: 'object', says: 'values of fields. All others are invented' },
    },
    returns: '`{ records }` as they are stored, with everything that they relate to. Rules do not apply',
    run: async ({ serving, body: { count = 1, values = {} }, parameters: { table = '' } }) => ({
      records: await inventRecords(serving, table, count, values),
    }),
  }),
  controlOperation({
    method: 'GET',
    path: 'realtime',
    groups: control,
    returns: '`{ connections }`: how many clients are connected',
    run: ({ serving }) => ({ connections: serving.reference.realtime.connections }),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'realtime',
    groups: control,
    returns: '204. Ends all realtime connections, like a restart: clients reconnect',
    run: ({ serving }) => serving.reference.realtime.disconnect(),
  }),
  controlOperation({
    method: 'POST',
    path: 'records',
    groups: control,
    content: 'arrays of records by table: `{ posts: [{ title: "Hello" }] }`',
    returns:
      '`{ records, notices }` by table, as they are stored. Relations may point to records of any of the tables',
    run: ({ serving, content }) => addRecords(serving, recordsIn(content)),
  }),
  controlOperation({
    method: 'POST',
    path: 'tables',
    groups: control,
    content: 'an array of table definitions, or an export of the living server family',
    returns: '`{ tables, notices }`: names of the tables that were added, and what was left out',
    run: ({ serving, content }) => addServedTables(serving, content),
  }),
  controlOperation({
    method: 'GET',
    path: 'requests',
    groups: control,
    returns: '`{ requests, notRecorded }` since the last reset. Each request includes its findings',
    async run({ serving }) {
      await serving.settled()
      return serving.exchanges.sinceMark()
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'requests',
    groups: console,
    returns: 'all of them, without headers and bodies',
    async run({ serving }) {
      // Requests from before the page was opened are not recorded yet.
      await serving.settled()
      const { exchanges } = serving
      return { requests: exchanges.list().map(summaryOf), notRecorded: exchanges.notRecorded }
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'requests/{id}',
    groups: both,
    returns: 'one request, with the `curl` command that repeats it',
    run: ({ serving, parameters: { id = '' } }) => repeatableExchange(serving, Number(id)),
  }),
  controlOperation({
    method: 'POST',
    path: 'requests/{id}/repeat',
    groups: console,
    returns: '`{ id }` of the new request, once it is logged',
    run: ({ serving, parameters: { id = '' } }) => repeatRequest(serving, Number(id)),
  }),
  controlOperation({
    method: 'DELETE',
    path: 'requests',
    groups: both,
    returns: '204. Forgets all requests',
    run: ({ serving }) => serving.exchanges.clear(),
  }),
  controlOperation({
    method: 'GET',
    path: 'facts',
    groups: console,
    returns: 'name and version of the package, and where the interface is',
    run({ serving: { prefix, url, seed } }) {
      const { name, version } = packageFacts()
      return { name, version, prefix, url, seed }
    },
  }),
  controlOperation({
    method: 'GET',
    path: 'events',
    groups: console,
    returns: 'server-sent events',
    run: ({ serving }) => eventStream(serving),
  }),
  controlOperation({
    method: 'GET',
    path: 'realtime',
    groups: console,
    returns: 'server-sent events: the changes of the records of all tables, as a superuser receives them',
    run: ({ serving, request }) => eventResponse(changesOf(serving.reference, request.signal)),
  }),
  controlOperation({
    method: 'GET',
    path: 'tables',
    groups: console,
    returns: 'the tables',
    run: ({ serving }) => summarizeTables(serving.reference),
  }),
  controlOperation({
    method: 'GET',
    path: 'tables/{table}',
    groups: console,
    returns: 'fields and rules of a table',
    run: ({ serving, parameters: { table = '' } }) =>
      found(describeTable(serving.reference, table), `There is no table ${quoted(table)}.`),
  }),
  ...(['GET', 'POST'] as const).map((method) => inside(method, 'tables/{table}/records')),
  ...(['GET', 'PATCH', 'DELETE'] as const).map((method) => inside(method, 'tables/{table}/records/{id}')),
  controlOperation({
    method: 'GET',
    path: 'tables/{table}/records/{id}/files/{name}',
    groups: console,
    returns: 'the content of a file, also of a protected one',
    run: ({ serving, parameters: { table = '', id = '', name = '' } }) =>
      found(fileOf(serving.reference, { table, id, name }), `There is no file ${quoted(name)}.`),
  }),
]

function indexEntry({ method, path, groups, query, body, content, returns }: ServeOperation) {
  if (!groups.includes('control')) return []
  const keys = Object.fromEntries(
    Object.entries(body ?? {}).map(([name, { says, required, oneOf }]) => [name, { says, required, oneOf }]),
  )
  return [{ method, path, query, body: content ?? (body === undefined ? undefined : keys), returns }]
}

/** Records by table. @throws InvalidControlRequest for anything else */
function recordsIn(content: unknown): Record<string, DataRow[]> {
  const entries = isObject(content) ? Object.entries(content) : undefined
  const wrong = entries?.find(([, rows]) => !Array.isArray(rows) || !rows.every(isObject))
  if (entries === undefined || wrong !== undefined)
    throw new InvalidControlRequest(
      `${wrong === undefined ? 'The body' : quoted(wrong[0])} must hold records as objects, in an array for each table.`,
    )
  return content as Record<string, DataRow[]>
}

/** A request to the interface itself, as a superuser. */
function inside(method: ServeOperation['method'], path: string): ServeOperation {
  return controlOperation({
    method,
    path,
    groups: console,
    returns: 'what the interface returns to a superuser',
    run({ serving, request, parameters: { table = '', id } }) {
      const records = `/collections/${encodeURIComponent(table)}/records`
      const record = id === undefined ? '' : `/${encodeURIComponent(id)}`
      return askInside(serving.reference, request, `${records}${record}${new URL(request.url).search}`)
    },
  })
}

/** @throws InvalidControlRequest 404 */
function found<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new InvalidControlRequest(message, 404)
  return value
}
