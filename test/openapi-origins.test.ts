/**
 * The description says of each part where it comes from: of the document, what that implies, or the profile.
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../spec/openapi.ts'
import { loadRequirements } from '../spec/requirements.ts'

type Part = Record<string, unknown>

const BOUNDS = new Set(
  'minLength maxLength minimum maximum minItems maxItems pattern format const'.split(' '),
)

/** Every object of the description, with the way to it. */
function* parts(node: unknown, way: string[] = []): Generator<{ part: Part; way: string[] }> {
  if (typeof node !== 'object' || node === null) return
  if (!Array.isArray(node)) yield { part: node as Part, way }
  for (const [key, value] of Object.entries(node)) yield* parts(value, [...way, key])
}

describe('origins', () => {
  const { paths, components } = openApiDocument() as OpenAPIV3_1.Document & { components: Part }

  it('every operation, parameter, body, response, scheme and schema says where it comes from', () => {
    const tops = [
      ...Object.values(paths ?? {}).flatMap((item) =>
        Object.values(item ?? {}).filter((each) => (each as Part).operationId),
      ),
      ...Object.values(components).flatMap((kind) => Object.values(kind as Part)),
    ] as Part[]
    expect(tops.length).toBeGreaterThan(80)
    for (const top of tops)
      expect(['stated', 'implied', 'profile'], JSON.stringify(top)).toContain(top['x-basis'])
  })

  it('every property of a schema that is stated says so itself, or names its requirement', () => {
    const schemas = components.schemas as Record<string, Part>
    for (const [name, schema] of Object.entries(schemas))
      if (schema['x-basis'] !== 'profile')
        for (const [key, property] of Object.entries((schema.properties ?? {}) as Record<string, Part>))
          expect(property['x-basis'] ?? property['x-requirement'], `${name}.${key}`).toBeTypeOf('string')
  })

  it('what bounds a stated part is stated: the narrower bounds of the profile stand apart', () => {
    const bounds = new Set<string>()
    const walk = (node: unknown, basis: string, way: string[]) => {
      if (typeof node !== 'object' || node === null) return
      const part = node as Part
      const named = way.at(-1) === 'properties'
      const here = named ? basis : ((part['x-basis'] as string | undefined) ?? basis)
      if (here === 'profile') return
      for (const [key, value] of Object.entries(part)) {
        if (!named && BOUNDS.has(key) && typeof value !== 'object') bounds.add(`${key}: ${value}`)
        if (!named && key === 'enum') bounds.add(`enum: ${value}`)
        walk(value, here, [...way, key])
      }
    }
    walk(components.schemas, 'stated', [])
    walk(components.parameters, 'stated', [])
    // A text that is there, a number from 1, a total from 0, the form of a time, and the three methods of a batch.
    expect([...bounds].sort()).toEqual([
      'enum: POST,PATCH,DELETE',
      'format: record-time',
      'minLength: 1',
      'minimum: 0',
      'minimum: 1',
    ])
  })

  it('knows no other word for it', () => {
    for (const { part, way } of parts(openApiDocument()))
      if ('x-basis' in part)
        expect(['stated', 'implied', 'profile'], way.join('/')).toContain(part['x-basis'])
  })

  it('names only requirements that exist', () => {
    const ids = loadRequirements()
    const unknown = [...parts(components)].filter(
      ({ part }) => typeof part['x-requirement'] === 'string' && !ids.has(part['x-requirement']),
    )
    expect(unknown.map(({ part, way }) => `${way.join('/')}: ${part['x-requirement']}`)).toEqual([])
  })
})
