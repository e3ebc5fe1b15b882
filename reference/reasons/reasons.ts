/**
 * Why a request was rejected, for the log: the response must not reveal it. Each reason is a function that is called
 * only when the log is read, so it costs a request nothing.
 *
 * @module
 */

import { mayAdmit } from '../../exchange/secrets/secret-names.ts'
import { countOf } from '../../spec/count-of.ts'
import { didYouMean, quoted } from '../../spec/nearest.ts'
import type { RuleText } from '../../spec/table-definition.ts'
import type { KeyAction } from '../../spec/vocabulary.ts'
import { callerAtPresent } from '../auth/token-fault.ts'
import type { ErrorData, RejectionReason } from '../errors.ts'
import type { SubmittedBody } from '../http/read-body.ts'
import { explainRule, valueText } from '../query/explain.ts'
import type { Scope } from '../query/scope.ts'
import type { RequestContext } from '../services.ts'
import { nonSystemTableNames } from '../tables/non-system-table-names.ts'
import type { ApiKeyFacts, Reader, Row, RuleName, Table, Upload } from '../vocabulary.ts'
import { keysWithoutField } from './keys-without-field.ts'

/** The path names a table that does not exist. */
export function unknownTable(name: string, reader: Reader, views: readonly string[]): RejectionReason {
  return () => {
    if (views.includes(name))
      return [`${quoted(name)} is a view, and views are not served: docs/extras.md, "What there is not".`]
    const names = nonSystemTableNames(reader)
    const known = names.length === 0 ? '' : ` Available: ${names.sort().join(', ')}.`
    return [`There is no table ${quoted(name)}.${didYouMean(name, names)}${known}`]
  }
}

/** The path names a record that does not exist. */
export function unknownRecord(id: string, table: Table): RejectionReason {
  return () => [`Table "${table.name}" has no record ${quoted(id)}.`]
}

/** A rule that is null: only superusers pass it. */
export function closedRule(context: RequestContext, table: Table, rule: RuleName): RejectionReason {
  const caller = callerAtPresent(context)
  return () => [`${rule} of "${table.name}" is null: only superusers pass. The caller is ${caller()}.`]
}

/** An API key whose scope lacks the action or the table. */
export function outOfScope(
  context: RequestContext,
  key: ApiKeyFacts,
  table: Table,
  action: KeyAction,
): RejectionReason {
  const caller = callerAtPresent(context)
  return () => {
    const { actions, tables } = key
    return [
      `The scope of ${caller()} lacks ${action} on "${table.name}". It has ${actions.join(', ')} on ${tables.join(', ')}.`,
    ]
  }
}

/** A rule that the record does not satisfy for this caller, with each comparison evaluated. */
export function unmetRule(
  context: RequestContext,
  name: RuleName,
  rule: RuleText,
  row: Row,
  scope: Scope,
): RejectionReason {
  if (rule === null) return closedRule(context, scope.table, name)
  const caller = callerAtPresent(context)
  return () => [
    `${name} of "${scope.table.name}" is false for ${caller()}: ${rule}`,
    ...explainRule(rule, row, scope).map((line) => `  ${line}`),
  ]
}

/** Invalid fields with the received values, and keys of the body that match no field. */
export function invalidFields(
  table: Table,
  { values, files }: SubmittedBody,
  errors: ErrorData,
): RejectionReason {
  // As strings: the log would keep the bytes.
  const uploads = new Map([...files].map(([name, its]) => [name, its.map(uploadText).join(', ')]))
  return () => [
    ...Object.entries(errors).map(([name, error]) => {
      const { message, code } = error as { message?: unknown; code?: unknown }
      return `Field "${name}" of "${table.name}": ${message} (${code}) ${receivedText(name, values, uploads)}`
    }),
    ...unknownKeys(table, values),
  ]
}

function receivedText(
  name: string,
  values: SubmittedBody['values'],
  uploads: ReadonlyMap<string, string>,
): string {
  const uploaded = uploads.get(name)
  if (uploaded !== undefined) return `Received ${uploaded}.`
  if (!Object.hasOwn(values, name)) return 'The body does not have it.'
  return mayAdmit(name) ? 'Its value is not shown.' : `Received ${valueText(values[name])}.`
}

function uploadText({ originalName, bytes, type }: Upload): string {
  return `the file ${quoted(originalName)} (${countOf(bytes.length, 'byte')}, ${type})`
}

function unknownKeys(table: Table, values: SubmittedBody['values']): string[] {
  const fields = table.fields.map(({ name }) => name)
  return keysWithoutField(table, values).map(
    (key) => `The body has ${quoted(key)}, which is not a field.${didYouMean(key, fields)}`,
  )
}
