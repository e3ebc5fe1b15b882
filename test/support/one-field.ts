import { validateValues } from '../../reference/fields/validate-values.ts'
import { Store } from '../../reference/store/store.ts'
import { addTables } from '../../reference/tables/add-tables.ts'
import type { Environment, FieldError, Json, Upload, Value } from '../../reference/vocabulary.ts'
import type { FieldDefinition } from '../../spec/table-definition.ts'

/** A stopped clock, and randomness that always takes the first character. */
export const stillEnvironment: Environment = {
  now: () => Date.UTC(2024, 1, 29, 12, 30, 15, 7),
  random: (alphabet, length) => alphabet.slice(0, 1).repeat(length),
  newId: () => 'a'.repeat(15),
  passwordCost: 1,
}

/** A table with one field in a store with a second table, `other_id`, that holds the records `one` and `two`. */
export async function oneField(definition: FieldDefinition) {
  const store = new Store()
  const [other, table] = addTables(store, [
    { id: 'other_id', name: 'other', fields: [{ name: 'id', type: 'text', min: 1, max: 9 }] },
    { id: 'table_id', name: 'table', fields: [definition] },
  ])
  const field = table?.field(definition.name)
  if (!other || !table || !field) throw new Error('The two tables of this helper are missing.')
  await store.transaction((tx) => {
    tx.insert(other, { id: 'one', created: '', updated: '' })
    tx.insert(other, { id: 'two', created: '', updated: '' })
  })
  return {
    field,
    /** What is stored for an input, as a response shows it. */
    stored: (input: unknown): Json => field.render(field.accept(input)),
    /** The error of an input, if any. */
    error(input: unknown, around: { stored?: Value; uploads?: Upload[] } = {}): FieldError | undefined {
      const context = {
        reader: store.current,
        ...(around.stored !== undefined && { stored: { id: 'a'.repeat(15), [field.name]: around.stored } }),
        ...(around.uploads && {
          uploads: new Map(around.uploads.map((upload) => [upload.storedName, upload])),
        }),
      }
      const values = { id: 'a'.repeat(15), [field.name]: field.accept(input) }
      return validateValues(table, values, context)[field.name]
    },
  }
}
