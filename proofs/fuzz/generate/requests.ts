/**
 * Requests of every operation of the description.
 *
 * @module
 */

import fc, { type Arbitrary } from 'fast-check'
import { type OperationSpec, operations, requestSchema } from '../../../spec/openapi.ts'
import type { TableDefinition } from '../../../spec/table-definition.ts'
import { fillBlank } from '../blanks.ts'
import type { FuzzRequest } from '../vocabulary.ts'
import { fuzzEmail, fuzzIds, usernameOf } from '../world/ids.ts'
import { roleOf } from '../world/tables.ts'
import { bulkBodies } from './bulk.ts'
import { type Encoded, encodedBody } from './encoded-body.ts'
import { recordEntries, someSpoiled } from './entries.ts'
import { fuzzedEntries } from './fuzzed-entries.ts'
import { fuzzCallers, type Header, otherHeaders } from './headers.ts'
import type { JsonEntry } from './json.ts'
import { oddStrings } from './odd-strings.ts'
import { encoded, queriesOf } from './queries.ts'
import { type KnownValues, schemaEntries } from './schema-entries.ts'

const oddMethods = ['PUT', 'HEAD', 'OPTIONS', 'get', 'patch', 'PROPFIND', 'A', '_']
const oddPaths: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `/${path}`,
  (path) => path.replace('/collections', '//collections'),
  (path) => path.replace('/api', '/API'),
  (path) => path.replace('records', 'record'),
  (path) => `${path}/../records`,
  (path) => path.replaceAll('0', '%30'),
  (path) => `${path}%00`,
  (path) => `${path}%`,
  (path) => `${path}%c3%28`,
  (path) => path.slice(0, -1),
]

/** Bodies of the operations that take neither a record nor a batch: what their schema says, with what is known to hold. */
function formEntries(operation: OperationSpec, table: TableDefinition): Arbitrary<JsonEntry[]> {
  const schema = requestSchema(operation)
  if (schema === undefined) return fc.constant([])
  const role = roleOf(table)
  const accounts = [0, 1, 2].flatMap((at) => [fuzzEmail(role, at), usernameOf(role, at)])
  const code =
    operation.id === 'authWithOtp' ? [fillBlank('otpCode')] : [...Array(6).fill('password1234'), 'wrong']
  const purposes = ['verification', 'passwordReset', 'emailChange'] as const
  const fitting = purposes.filter((name) => operation.id.toLowerCase().includes(name.toLowerCase()))
  const known: KnownValues = {
    identity: fc.constantFrom(...accounts),
    password: fc.constantFrom(...code),
    passwordConfirm: fc.constant('password1234'),
    email: fc.constantFrom(fuzzEmail(role), fuzzEmail(role, 1), fuzzEmail(role, 2), 'unknown@mail.example'),
    newEmail: fc.stringMatching(/^[a-z]{8}$/).map((name) => `${name}@mail.example`),
    token: fc.constantFrom(
      fillBlank('mailToken'),
      ...fitting.flatMap((name) => Array(4).fill(fillBlank(`${name}:${role}`))),
    ),
    identityField: fc.constantFrom('', 'email', 'username', 'id'),
    otpId: fc.constant(fillBlank('otpId')),
    mfaId: fc.constant(fillBlank('mfaId')),
    provider: fc.constantFrom(...Array(8).fill('pretend'), 'nothing'),
    createData: recordEntries(table, true, 0.2).map((entries) => Object.fromEntries(entries)),
    duration: fc.oneof(
      fc.integer({ min: 0, max: 5000 }),
      fc.constantFrom<unknown>(-1, 1e15, 2 ** 53, '60', 1.5),
    ),
  }
  return schemaEntries(schema, known)
}

function bodyOf(
  operation: OperationSpec,
  table: TableDefinition,
  all: readonly TableDefinition[],
): Arbitrary<Encoded> {
  if (operation.requestBody === undefined)
    return fc.oneof(
      { weight: 12, arbitrary: fc.constant<Encoded>({ headers: [] }) },
      { weight: 1, arbitrary: encodedBody([['x', 1]]) },
    )
  const content = operation.requestBody.content
  const form = !('application/x-www-form-urlencoded' in content)
  const source =
    operation.id === 'batch'
      ? fuzzedEntries(all)
      : operation.tag === 'records'
        ? recordEntries(table, operation.id === 'createRecord', 0.4)
        : formEntries(operation, table)
  // The entry of a batch is spoiled inside.
  const entries =
    operation.id === 'batch'
      ? fc.oneof({ weight: 5, arbitrary: source }, someSpoiled(source))
      : someSpoiled(source)
  return fc.oneof(
    { weight: 250, arbitrary: entries.chain((each) => encodedBody(each, form)) },
    { weight: 1, arbitrary: bulkBodies },
  )
}

function segment(good: readonly string[]): Arbitrary<string> {
  return fc.oneof(
    { weight: 14, arbitrary: fc.constantFrom(...good) },
    { weight: 1, arbitrary: oddStrings.map((text) => encoded(text.slice(0, 3000)) || '%20') },
    {
      weight: 1,
      arbitrary: fc.constantFrom('nothing', '_superusers', '_apiKeys', '_mfas', 'CONF_PLAIN', '%2e%2e'),
    },
  )
}

function paths(operation: OperationSpec, table: TableDefinition): Arbitrary<string> {
  const ids = [...fuzzIds(table.name), ...fuzzIds(table.name), fillBlank('created')]
  const path = fc
    .tuple(segment([table.name, table.name, table.id ?? '']), segment(ids))
    .map(([name, id]) => operation.path.replace('{table}', () => name).replace('{id}', () => id))
  return fc.oneof(
    { weight: 30, arbitrary: path },
    {
      weight: 1,
      arbitrary: fc.tuple(path, fc.constantFrom(...oddPaths)).map(([text, change]) => change(text)),
    },
  )
}

/** How often a table is chosen; most often one on which the operation can succeed. */
function weightOf(operation: OperationSpec, table: TableDefinition): number {
  // The path of a batch names no table.
  if (operation.id === 'batch') return table.name === 'conf_plain' ? 1 : 0
  if (operation.tag === 'records') return 2
  if (table.type !== 'auth') return 0
  if (operation.id === 'authWithOAuth2') return table.name === 'conf_oauth' ? 20 : 1
  if (operation.id.includes('Otp')) return table.otp?.enabled ? 4 : 1
  return table.authRule === null ? 1 : 3
}

/** Requests of one operation about one table. */
export function onTable(
  operation: OperationSpec,
  table: TableDefinition,
  all: readonly TableDefinition[],
): Arbitrary<FuzzRequest> {
  const needed = operation.security.every((schemes) => schemes.length > 0)
  const superuser: Header[] = [['authorization', fillBlank('superuser')]]
  const user: Header[] = [['authorization', fillBlank(`auth:${roleOf(table)}`)]]
  const proper = operation.security.some((schemes) => schemes.includes('userSession')) ? user : superuser
  return fc
    .record({
      method: fc.oneof(
        { weight: 60, arbitrary: fc.constant<string>(operation.method) },
        { weight: 1, arbitrary: fc.constantFrom(...oddMethods) },
      ),
      path: paths(operation, table),
      query: queriesOf(operation, table),
      caller: fc.oneof(
        { weight: 2, arbitrary: fuzzCallers },
        { weight: needed ? 4 : 1, arbitrary: fc.constant(needed ? proper : superuser) },
      ),
      others: otherHeaders,
      encoded: bodyOf(operation, table, all),
    })
    .map(({ method, path, query, caller, others, encoded: { headers, body } }) => ({
      operation: operation.id,
      method,
      path: path + query,
      headers: [...caller, ...headers, ...others],
      ...(body !== undefined && { body }),
    }))
}

/** By the id of the operation. Arbitraries are expensive to create: they are created once and reused. */
export function requestsByOperation(tables: readonly TableDefinition[]): Map<string, Arbitrary<FuzzRequest>> {
  return new Map(
    operations().map((operation) => {
      const choices = tables.flatMap((table) => {
        const weight = weightOf(operation, table)
        return weight === 0 ? [] : [{ weight, arbitrary: onTable(operation, table, tables) }]
      })
      return [operation.id, fc.oneof(...choices)]
    }),
  )
}
