/**
 * The description says where each part comes from: the document, what it implies, or the profile.
 */

import type { OpenAPIV3_1 } from 'openapi-types'
import { describe, expect, it } from 'vitest'
import { openApiDocument } from '../../spec/openapi.ts'
import { loadRequirements } from '../../spec/requirements.ts'
import { shownResponses } from '../../spec/shown-responses.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { requirementsInSchema } from '../../validate/coverage/create-coverage.ts'
import { operationEntries } from '../../validate/operation-entries.ts'

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

  it('what bounds a stated part is stated: the narrower bounds of the profile are separate', () => {
    const bounds = new Set<string>()
    const walk = (node: unknown, basis: string, way: string[]) => {
      if (typeof node !== 'object' || node === null) return
      const part = node as Part
      const named = way.at(-1) === 'properties'
      const here = named ? basis : ((part['x-basis'] as string | undefined) ?? basis)
      if (here === 'profile') return
      const ofProfile = (part['x-profile'] ?? []) as string[]
      for (const [key, value] of Object.entries(part)) {
        if (!named && ofProfile.includes(key)) continue
        if (!named && BOUNDS.has(key) && typeof value !== 'object') bounds.add(`${key}: ${value}`)
        if (!named && key === 'enum') bounds.add(`enum: ${value}`)
        walk(value, here, [...way, key])
      }
    }
    walk(components.schemas, 'stated', [])
    walk(components.parameters, 'stated', [])
    // A string that is there, a total from 0, the form of a time, and the three methods of a batch.
    expect([...bounds].sort()).toEqual([
      'enum: POST,PATCH,DELETE',
      'format: record-time',
      'minLength: 1',
      'minimum: 0',
      expect.stringMatching(/^pattern: .*\[0-9\]\{3\}Z\$$/),
    ])
  })

  it('knows no other word for it', () => {
    for (const { part, way } of parts(openApiDocument()))
      if ('x-basis' in part)
        expect(['stated', 'implied', 'profile'], way.join('/')).toContain(part['x-basis'])
  })

  it('names as of the profile only keywords that are there', () => {
    const marked = [...parts(openApiDocument())].filter(({ part }) => 'x-profile' in part)
    expect(marked.length).toBeGreaterThan(5)
    for (const { part, way } of marked)
      expect(Object.keys(part), way.join('/')).toEqual(expect.arrayContaining(part['x-profile'] as string[]))
  })

  it('names only requirements that exist', () => {
    const ids = loadRequirements()
    const named = [...parts(components)].flatMap(({ part, way }) =>
      [part['x-requirement'], part['x-left-open']]
        .filter((id) => typeof id === 'string')
        .map((id) => ({ id, way: way.join('/') })),
    )
    expect(named.filter(({ id }) => !ids.has(id))).toEqual([])
  })

  it('what is left open answers to the profile', () => {
    const ids = loadRequirements()
    const open = [...parts(components)].flatMap(({ part }) => part['x-left-open'] ?? [])
    expect(open.length).toBeGreaterThan(4)
    for (const id of open) expect(ids.get(String(id))?.basis, String(id)).toBe('profile')
  })

  it('of what the document does not show, only what no response may show is of the document', () => {
    const ids = loadRequirements()
    const ofDocument = (operation: OperationId, status: number) =>
      [...requirementsInSchema(operation, status)].filter((id) => ids.get(id)?.basis !== 'profile')
    // 299 and 599 are of no use to anyone: what is described of all other statuses.
    for (const { id: operation, responses } of operationEntries())
      for (const status of [...Object.keys(responses).map(Number), 299, 499, 599]) {
        const found = ofDocument(operation, status)
        if (shownResponses.includes(operation) && (status === 200 || status === 299))
          expect(found.length, `${operation} ${status}`).toBeGreaterThan(4)
        else
          expect(
            found.filter((id) => id !== 'wire.no-secrets'),
            `${operation} ${status}`,
          ).toEqual([])
      }
  })
})
