/**
 * Describes the tables for the console.
 *
 * @module
 */

import { apiKeysTableName } from '../../reference/auth/api-keys.ts'
import type { FormControl } from '../../reference/fields/kind.ts'
import { fieldKind } from '../../reference/fields/registry.ts'
import type { Reference } from '../../reference/reference.ts'
import { servicesOf } from '../../reference/services-of.ts'
import type { RuleName, Table } from '../../reference/vocabulary.ts'

export interface TableSummary {
  id: string
  name: string
  type: 'base' | 'auth'
  system: boolean
  count: number
}

interface FieldDetails {
  name: string
  type: string
  hidden: boolean
  /** Part of the label of a record. */
  presentable: boolean
  /** Absent if clients cannot write the field. */
  control: FormControl | undefined
  options: Record<string, unknown>
}

export interface TableDetails extends TableSummary {
  fields: FieldDetails[]
  rules: Record<string, string | null>
  indexes: readonly string[]
}

const rules: readonly RuleName[] = ['listRule', 'viewRule', 'createRule', 'updateRule', 'deleteRule']
const authRules: readonly RuleName[] = ['authRule', 'manageRule']
/** Options that are shown elsewhere, or that are not useful to people. */
const silent = new Set(['id', 'name', 'type', 'hidden', 'system', 'presentable', 'help'])

function summary(reference: Reference, table: Table): TableSummary {
  const { id, name, type, system } = table
  return { id, name, type, system, count: servicesOf(reference).store.current.count(table) }
}

export function summarizeTables(reference: Reference): TableSummary[] {
  const tables = [...servicesOf(reference).store.current.tables()]
  return tables.filter(({ name }) => name !== apiKeysTableName).map((table) => summary(reference, table))
}

export function describeTable(reference: Reference, name: string): TableDetails | undefined {
  const table = servicesOf(reference).store.current.table(name)
  if (table === undefined || table.name === apiKeysTableName) return undefined
  const shown = table.type === 'auth' ? [...rules, ...authRules] : rules
  return {
    ...summary(reference, table),
    fields: table.fields.map(({ name, type, hidden, definition }) => ({
      name,
      type,
      hidden,
      presentable: definition.presentable === true,
      control: fieldKind(type).control(definition),
      options: Object.fromEntries(
        Object.entries(definition).filter(([option, value]) => !silent.has(option) && saysSomething(value)),
      ),
    })),
    rules: Object.fromEntries(shown.map((rule) => [rule, table.rule(rule)])),
    indexes: table.definition.indexes ?? [],
  }
}

function saysSomething(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false
}
