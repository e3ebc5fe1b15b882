/**
 * What create and update accept, in JSON and as a form.
 *
 * @module
 */

import { pascalCase } from './component-names.ts'
import { accountFields, definedFields } from './record-schema.ts'
import type { DescribedField, DescribedTable, DescriptionPart } from './vocabulary.ts'
import { withSentences } from './with-sentences.ts'

type Properties = Record<string, DescriptionPart>
type Use = 'write' | 'form'

interface Bodies {
  Create?: DescriptionPart
  Update: DescriptionPart
  CreateForm?: DescriptionPart
  UpdateForm?: DescriptionPart
}

/** @param fields of the table, except those that no request can set */
export function bodySchemas(
  table: DescribedTable,
  fields: readonly DescribedField[],
  documentOnly: boolean,
): Bodies {
  const own = definedFields(table, fields).filter(({ write }) => write !== undefined)
  const update = { type: 'object', description: `Fields to change in a record of \`${table.name}\`.` }
  const create = { type: 'object', description: `Fields of a new record of \`${table.name}\`.` }
  if (documentOnly) {
    const properties = written(own, 'write')
    return { Create: { ...create, properties }, Update: { ...update, properties } }
  }
  const account = table.type === 'auth' ? accountBodies(table, fields) : undefined
  const id = fields.filter(({ name }) => name === 'id')
  const creating = (chosen: readonly DescribedField[], use: Use): DescriptionPart => {
    const required = [...(account?.required ?? []), ...chosen.filter(mustBeSent).map(({ name }) => name)]
    return {
      ...create,
      ...(required.length > 0 ? { required } : {}),
      properties: { ...written(id, 'write'), ...account?.create, ...written(chosen, use) },
    }
  }
  const updating = (use: Use): DescriptionPart => ({
    ...update,
    properties: { ...account?.update, ...written(own, use), ...modifiers(own, use) },
  })
  const files = own.filter(({ type }) => type === 'file')
  const others = own.filter((field) => !files.includes(field))
  return {
    // JSON cannot contain files: a record with a required file can only be created by a form.
    ...(files.some(mustBeSent) ? {} : { Create: creating(others, 'write') }),
    Update: updating('write'),
    ...(files.length === 0 ? {} : { CreateForm: creating(own, 'form'), UpdateForm: updating('form') }),
  }
}

function written(fields: readonly DescribedField[], use: Use): Properties {
  return Object.fromEntries(fields.map((field) => [field.name, schemaFor(field, use)]))
}

function schemaFor({ write = {}, form = write }: DescribedField, use: Use): DescriptionPart {
  return use === 'form' ? form : write
}

export function mustBeSent({ definition }: Pick<DescribedField, 'definition'>): boolean {
  const { required, autogeneratePattern } = definition as { required?: boolean; autogeneratePattern?: string }
  return required === true && !autogeneratePattern
}

/** Keys of an auth record that are not fields of it, and the fields with special rules (contract-records 4.7). */
function accountBodies(
  { fields: all }: DescribedTable,
  fields: readonly DescribedField[],
): { create: Properties; update: Properties; required: string[] } {
  const shared = written(
    fields.filter(({ name }) => accountFields.includes(name)),
    'write',
  )
  const { min = 0, max = 0 } = (all.find(({ name }) => name === 'password')?.definition ?? {}) as {
    min?: number
    max?: number
  }
  const password = { type: 'string', minLength: Math.max(1, min), maxLength: max || 71, writeOnly: true }
  const passwords = {
    password: withSentences(password, { before: ['At most 72 bytes.'] }),
    passwordConfirm: withSentences(password, { before: ['The password again.'] }),
  }
  const managed = 'Only superusers and managers of the record can change it.'
  const { email = {}, verified = {}, ...visibility } = shared
  const emailIsRequired = fields.some((field) => field.name === 'email' && mustBeSent(field))
  return {
    create: { ...shared, verified: withSentences(verified, { after: [managed] }), ...passwords },
    update: {
      email: withSentences(email, { after: [managed] }),
      verified: withSentences(verified, { after: [managed] }),
      ...visibility,
      ...passwords,
      oldPassword: {
        type: 'string',
        writeOnly: true,
        description: 'The present password. Sent with a new one, except by superusers and managers.',
      },
    },
    required: [...(emailIsRequired ? ['email'] : []), 'password', 'passwordConfirm'],
  }
}

/** Keys that change a number or a list instead of replacing it (contract-records 3.7). */
function modifiers(fields: readonly DescribedField[], use: Use): Properties {
  const found: Properties = {}
  for (const field of fields) {
    const { name, type, multiple } = field
    const add = (key: string, word: string, schema: DescriptionPart) => {
      // The generator for Go would give `tags`, `tags+` and `tags-` the same name.
      found[key] = { ...schema, 'x-go-name': pascalCase(name) + word }
    }
    if (type === 'number') {
      const number = { type: 'number', format: 'double' }
      add(`${name}+`, 'Plus', { ...number, description: `Added to \`${name}\`.` })
      add(`${name}-`, 'Minus', { ...number, description: `Subtracted from \`${name}\`.` })
    }
    if (!multiple) continue
    const list = (items: unknown, description: string) => ({ type: 'array', items, description })
    const { items } = schemaFor(field, use)
    // In JSON, a file can only be removed.
    if (type !== 'file' || use === 'form') {
      add(`${name}+`, 'Append', list(items, `Added behind those in \`${name}\`.`))
      add(`+${name}`, 'Prepend', list(items, `Added before those in \`${name}\`.`))
    }
    add(`${name}-`, 'Remove', list(schemaFor(field, 'write').items, `Removed from \`${name}\`.`))
  }
  return found
}
