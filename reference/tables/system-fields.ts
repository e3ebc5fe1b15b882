import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { defaultIdPattern } from '../fields/record-id.ts'

const id: FieldDefinition = {
  name: 'id',
  type: 'text',
  min: 15,
  max: 15,
  pattern: defaultIdPattern,
  autogeneratePattern: '[a-z0-9]{15}',
}

/** Fields of every auth table, in this order after `id` (contract-records 9.3). */
const authFields: readonly FieldDefinition[] = [
  { name: 'password', type: 'password', min: 8, required: true },
  {
    name: 'tokenKey',
    type: 'text',
    min: 30,
    max: 60,
    autogeneratePattern: '[a-zA-Z0-9]{50}',
    required: true,
  },
  { name: 'email', type: 'email', required: true },
  { name: 'emailVisibility', type: 'bool' },
  { name: 'verified', type: 'bool' },
]

/** What a definition cannot change of the fields above. */
const forced: Readonly<Record<string, Partial<FieldDefinition> & { primaryKey?: boolean }>> = {
  id: { system: true, required: true, hidden: false, primaryKey: true },
  password: { system: true, required: true, hidden: true },
  tokenKey: { system: true, required: true, hidden: true },
  email: { system: true, hidden: false },
  emailVisibility: { system: true },
  verified: { system: true },
}

/** On every record, as the document demands (2.1), whether the definition names them or not. */
const stamps: readonly FieldDefinition[] = [
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
]

/** A field with its place in the definition, absent when the definition does not name it. */
export interface PlacedField {
  readonly definition: FieldDefinition
  readonly place?: number
}

/**
 * The fields of a definition with the system fields that it leaves out: `id` first, those of auth tables after it,
 * the two stamps last. A system field that the definition names keeps the options it gives, as far as they may
 * change.
 */
export function withSystemFields({ type, fields = [] }: TableDefinition): PlacedField[] {
  const given = fields.map((definition, place): PlacedField => ({ definition, place }))
  const system = type === 'auth' ? [id, ...authFields] : [id]
  const first = system.map((definition) => override(definition, given.find(named(definition.name))))
  const rest = given.filter((field) => !first.some(({ place }) => place === field.place))
  const last = stamps.filter(({ name }) => !given.some(named(name))).map((definition) => ({ definition }))
  return [...first, ...rest, ...last]
}

function override(system: FieldDefinition, given: PlacedField | undefined): PlacedField {
  const sameType = given?.definition.type === system.type ? given.definition : {}
  return {
    definition: { ...system, ...sameType, ...forced[system.name] } as FieldDefinition,
    ...(given && { place: given.place }),
  }
}

function named(name: string): (field: PlacedField) => boolean {
  return ({ definition }) => definition.name === name
}
