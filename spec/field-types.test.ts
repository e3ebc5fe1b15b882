import { describe, expect, it } from 'vitest'
import { factsOf, fieldTypes } from './field-types.ts'
import { openApiDocument } from './openapi.ts'
import { loadRequirements } from './requirements.ts'
import type { FieldDefinition } from './table-definition.ts'
import { loadTables } from './tables.ts'

const schemas = openApiDocument().components?.schemas ?? {}
const types = Object.keys(fieldTypes)
const tables = loadTables()
const fields = tables.flatMap(({ definition }) => definition.fields ?? [])
const definitionOf = (type: string) => fields.find((field) => field.type === type) as FieldDefinition

describe.each(types)('field type %s', (type) => {
  const facts = factsOf(type)

  it('has a field in the table everything', () => {
    const everything = tables.find(({ role }) => role === 'everything')?.definition.fields ?? []
    expect(
      everything.map((field) => field.type),
      `spec/tables.yaml: the table everything needs a field of the type ${type}`,
    ).toContain(type)
  })

  it('has a schema of its values', () => {
    const name = `${type.charAt(0).toUpperCase()}${type.slice(1)}Value`
    expect(
      schemas[name],
      `spec/openapi.yaml: components.schemas needs ${name}, with x-field-type: ${type}`,
    ).toMatchObject({ 'x-field-type': type })
    expect(
      schemas.FieldValue?.anyOf?.map((each) => ('$ref' in each ? each.$ref : undefined)),
      `spec/openapi.yaml: FieldValue.anyOf needs ${name}`,
    ).toContain(`#/components/schemas/${name}`)
  })

  it('has its requirements', () => {
    const ids = [...loadRequirements().keys()]
    expect(
      ids.some((id) => id.startsWith(`${facts?.topic}.`)),
      `spec/profile/field-types.yaml: the type ${type} needs requirements ${facts?.topic}.…`,
    ).toBe(true)
  })

  it('has a zero value of its form, and a sample, if any, that is another value', () => {
    expect(
      facts?.expected(facts.zero, definitionOf(type) as never, { isPart: false, isExact: true }),
    ).toBeUndefined()
    if (facts?.sample === undefined) return
    expect(facts.sample).not.toEqual(facts.zero)
    // A password is sent and never shown.
    if (type !== 'password')
      expect(
        facts.expected(facts.sample, definitionOf(type) as never, { isPart: false, isExact: true }),
      ).toBeUndefined()
  })

  it('names all options that the tables of the suites use', () => {
    const common = ['id', 'name', 'type', 'system', 'hidden', 'presentable', 'required', 'help']
    const used = fields.filter((field) => field.type === type).flatMap((field) => Object.keys(field))
    const unknown = used.filter((option) => !common.includes(option) && !(option in (facts?.options ?? {})))
    expect(unknown).toEqual([])
  })
})

it('returns nothing for a name that is not a type', () => {
  expect(factsOf('color')).toBeUndefined()
  expect(factsOf('constructor')).toBeUndefined()
})
