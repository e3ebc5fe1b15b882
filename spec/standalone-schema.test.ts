import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { requirementAt } from './requirement-at.ts'
import { standaloneSchema } from './standalone-schema.ts'

const document = {
  components: {
    schemas: {
      Node: {
        'x-pick': true,
        type: 'object',
        required: ['name'],
        properties: {
          name: { type: 'string', pattern: '^a', 'x-requirement': 'node.name' },
          required: { type: 'string' },
          next: { $ref: '#/components/schemas/Node' },
        },
        if: { properties: { name: { const: 'a' } }, required: ['name'] },
        // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
        then: { properties: { next: false } },
      },
      Any: {
        description: 'Anything.',
        anyOf: [{ 'x-when': false, type: 'string' }, { $ref: '#/components/schemas/All' }],
      },
      All: { 'x-basis': 'profile', description: 'All values.' },
      Unused: {},
    },
  },
} as unknown as OpenAPIV3_1.Document
const reference = () => ({ $ref: '#/components/schemas/Node' })

describe('standaloneSchema', () => {
  it('includes what is referenced and nothing else, cycles included', () => {
    const schema = standaloneSchema(reference(), document)
    expect(schema.$ref).toBe('#/$defs/Node')
    expect(Object.keys(schema.$defs as object)).toEqual(['Node'])
    expect(schema).toHaveProperty('$defs.Node.properties.next.$ref', '#/$defs/Node')
    expect(schema).toHaveProperty('$defs.Node.required', ['name'])
  })

  it('requires no key and no form if keys may be picked, but keeps conditions', () => {
    const schema = standaloneSchema(reference(), document, { picked: true })
    expect(schema).not.toHaveProperty('$defs.Node.required')
    expect(schema).not.toHaveProperty('$defs.Node.properties.name.pattern')
    expect(schema).toHaveProperty('$defs.Node.properties.required.type', 'string')
    expect(schema).toHaveProperty('$defs.Node.if.required', ['name'])
  })

  it('turns alternatives into a choice: errors are about the alternative that a value is meant to be', () => {
    const list = { type: 'array', items: {} }
    const alternatives = [{ 'x-when': list, type: 'array', maxItems: 2 }, { type: 'string' }]
    expect(standaloneSchema({ anyOf: alternatives }, document)).toMatchObject({
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      allOf: [{ if: list, then: { type: 'array', maxItems: 2 }, else: { type: 'string' } }],
    })
    expect(
      standaloneSchema({ anyOf: [{ 'x-when': false, type: 'array' }, { type: 'string' }] }, document),
    ).toMatchObject({ allOf: [{ type: 'string' }] })
    const plain = { anyOf: [{ type: 'string' }, { type: 'null' }] }
    expect(standaloneSchema(plain, document)).toMatchObject(plain)
  })

  it('separates what the profile adds, since it violates a different requirement', () => {
    const page = { 'x-requirement': 'list.page', 'x-profile': ['minimum'], type: 'integer', minimum: 1 }
    const schema = standaloneSchema(page, document)
    expect(schema).toMatchObject({
      type: 'integer',
      allOf: [{ 'x-requirement': 'wire.schema', minimum: 1 }],
    })
    expect(schema).not.toHaveProperty('minimum')
    expect(requirementAt(schema, '', 'type')).toBe('list.page')
    expect(requirementAt(schema, '', 'minimum')).toBe('wire.schema')
  })

  it('omits schemas that accept everything, and patterns that a format makes redundant', () => {
    const open = { type: 'object', additionalProperties: { $ref: '#/components/schemas/Any' } }
    expect(standaloneSchema(open, document)).not.toHaveProperty('additionalProperties')
    expect(standaloneSchema({ ...open, additionalProperties: false }, document)).toHaveProperty(
      'additionalProperties',
    )
    const time = { type: 'string', format: 'record-time', pattern: '^2' }
    expect(standaloneSchema(time, document)).not.toHaveProperty('pattern')
    expect(standaloneSchema({ ...time, format: 'email' }, document)).toHaveProperty('pattern')
  })

  it('has no bounds for requests that test them', () => {
    const size = { type: 'integer', minimum: 1, maximum: 1000 }
    expect(standaloneSchema(size, document, { unbounded: true })).not.toHaveProperty('maximum')
    expect(standaloneSchema(size, document)).toMatchObject(size)
  })

  it('names a reference that cannot be resolved', () => {
    expect(() => standaloneSchema({ $ref: '#/components/schemas/Gone' }, document)).toThrow(/schemas\/Gone/)
  })
})
