/**
 * The components that a table adds to a description.
 *
 * @module
 */

import { innerFields } from '../exchange/secrets/secret-key.ts'
import type { Complete } from '../reference/fields/kind.ts'
import type { Field } from '../reference/vocabulary.ts'
import { bodySchemas } from './body-schemas.ts'
import type { ComponentNames, Ending } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import { expandSchema } from './expand-schema.ts'
import { fieldSchemas, selectOptions } from './field-schemas.ts'
import { recordSchema } from './record-schema.ts'
import type { DescribedField, DescribedTable, DescriptionPart, FieldSchemas } from './vocabulary.ts'
import { withSentences } from './with-sentences.ts'

export interface World {
  tables: readonly DescribedTable[]
  names: ComponentNames
  documentOnly: boolean
}

/**
 * @param base the record of the general description: of an auth table for an auth table, otherwise of any table
 * @returns components by name
 */
export function tableSchemas(
  table: DescribedTable,
  base: DescriptionPart,
  world: World,
): Record<string, DescriptionPart> {
  const { tables, names, documentOnly } = world
  const fields = table.fields
    .filter(({ name }) => table.type !== 'auth' || !innerFields.has(name))
    .map((field): DescribedField => ({ ...field, ...schemasOf(field, table, world) }))
  const expand = documentOnly ? undefined : expandSchema(table, tables, names)
  const components: Partial<Record<Ending, DescriptionPart>> = {
    Record: recordSchema(table, fields, base, expand && names.of(table, 'Expand')),
    ...(expand !== undefined && { Expand: expand }),
    ...(table.type === 'view' ? {} : bodySchemas(table, fields, documentOnly)),
  }
  const selects = documentOnly ? [] : fields.filter(({ type }) => type === 'select')
  return Object.fromEntries([
    ...Object.entries(components).map(([ending, part]) => [names.of(table, ending as Ending), part]),
    ...selects.map(({ name, definition }) => [
      names.options(table, name),
      selectOptions(definition as Complete<'select'>),
    ]),
  ])
}

function schemasOf(
  field: Field,
  table: DescribedTable,
  { tables, names, documentOnly }: World,
): FieldSchemas {
  if (documentOnly) return statedSchemas(field)
  const { help, collectionId } = field.definition as { help?: string; collectionId?: string }
  const { read, write, form } = fieldSchemas(field, {
    target: tables.find(({ id }) => id === collectionId)?.name ?? String(collectionId),
    options: componentReference(names.options(table, field.name)),
  })
  const reported = (schema: DescriptionPart, hidden: string) =>
    withSentences(schema, { before: [help], after: [field.hidden && hidden] })
  return {
    read: reported(read, 'Only superusers see it.'),
    ...(write && { write: reported(write, 'Only superusers can set it.') }),
    ...(form && { form: reported(form, 'Only superusers can set it.') }),
  }
}

/** The form of the values of a field as far as the document states it (2.1). */
function statedSchemas({ type, multiple }: Field): FieldSchemas {
  const shown: Partial<Record<Field['type'], string>> = { text: 'string', bool: 'boolean' }
  const known = type === 'relation' && !multiple ? 'string' : shown[type]
  const schema = known === undefined ? {} : { type: known }
  return { read: schema, write: schema }
}
