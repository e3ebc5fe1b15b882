import { describe, expect, it } from 'vitest'
import { fieldTypes } from './field-types.ts'
import { loadTables, tableDefinitions } from './tables.ts'

describe('tables', () => {
  it.each(loadTables())('$role is named after its role and stamps its records', ({ role, definition }) => {
    expect(definition.name).toBe(`conf_${role}`)
    expect(definition.id).toBe(`conf_${role}_0001`)
    const stamps = definition.fields?.filter(({ type }) => type === 'autodate')
    expect(stamps).toContainEqual({ name: 'created', type: 'autodate', onCreate: true, onUpdate: false })
    expect(stamps).toContainEqual({ name: 'updated', type: 'autodate', onCreate: true, onUpdate: true })
  })

  it('names each role and each field once', () => {
    const roles = loadTables().map(({ role }) => role)
    expect(new Set(roles).size).toBe(roles.length)
    for (const { fields = [] } of tableDefinitions())
      expect(new Set(fields.map(({ name }) => name.toLowerCase())).size).toBe(fields.length)
  })

  it('has relations to its own tables only', () => {
    const ids = new Set(tableDefinitions().map(({ id }) => id))
    const relations = tableDefinitions().flatMap(({ fields = [] }) =>
      fields.flatMap((field) => (field.type === 'relation' ? [field] : [])),
    )
    expect(relations.length).toBeGreaterThan(10)
    for (const { collectionId } of relations) expect(ids).toContain(collectionId)
  })

  it('has every field type in the role everything, none of them required', () => {
    const everything = loadTables().find(({ role }) => role === 'everything')
    const fields = everything?.definition.fields ?? []
    expect([...new Set(fields.map(({ type }) => type))].sort()).toEqual(Object.keys(fieldTypes).sort())
    expect(fields.filter(({ required }) => required)).toEqual([])
  })

  it('gives every identity field its own index', () => {
    for (const { name, passwordAuth, indexes = [] } of tableDefinitions())
      for (const field of passwordAuth?.identityFields ?? [])
        if (field !== 'email')
          expect(indexes.join('\n'), `${name}.${field}`).toMatch(
            new RegExp(`UNIQUE INDEX .*\\(\`${field}\`[^,]*\\)`),
          )
  })

  it('returns a fresh copy each time', () => {
    const [first] = loadTables()
    if (first) first.definition.name = 'changed'
    expect(loadTables()[0]?.definition.name).toBe('conf_plain')
  })
})
