/**
 * The examples of the description are real, valid and complete: the reference gives them again, an independent
 * implementation of JSON Schema accepts them, and no body lacks one.
 */

import { readFileSync } from 'node:fs'
import { registerSchema, validate } from '@hyperjump/json-schema/draft-2020-12'
import type { OpenAPIV3_1 } from 'openapi-types'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Example, recordExamples } from '../../scripts/openapi-examples/record-examples.ts'
import { withExamples } from '../../scripts/openapi-examples/write-examples.ts'
import { openApiDocument, operations } from '../../spec/openapi.ts'
import { portableSchema } from '../support/portable-schema.ts'

type Part = Record<string, unknown>

/** A place that has a schema, and examples of what it describes. */
interface Place {
  way: string
  schema: Part
  examples: string[]
}

const { components = {} } = openApiDocument() as OpenAPIV3_1.Document & { components: Record<string, Part> }
const kept = components.examples as unknown as Record<string, Example>

function* placesIn(node: unknown, way: string[] = []): Generator<Place> {
  if (typeof node !== 'object' || node === null) return
  const { schema, examples } = node as { schema?: Part; examples?: Record<string, { $ref: string }> }
  if (schema !== undefined)
    yield {
      way: way.join(' '),
      schema,
      examples: Object.values(examples ?? {}).map(({ $ref }) => $ref.split('/').at(-1) ?? ''),
    }
  for (const [key, value] of Object.entries(node))
    if (key !== 'schemas' && key !== 'examples') yield* placesIn(value, [...way, key])
}

const places = [...placesIn(components)]

it('the examples match the present reference', async () => {
  const file = readFileSync(new URL('../../spec/openapi.yaml', import.meta.url), 'utf8')
  expect(withExamples(file, await recordExamples()) === file, 'run: npm run generate').toBe(true)
})

describe('examples', () => {
  let accepts: (schema: Part, value: unknown) => Promise<boolean>
  beforeAll(() => {
    let count = 0
    accepts = async (schema, value) => {
      const uri = `https://example.com/openapi-examples/${count++}`
      registerSchema(portableSchema(schema) as never, uri)
      return (await validate(uri, value as never)).valid
    }
  })

  it('are accepted by the schemas next to them', async () => {
    const shown = places.flatMap(({ way, schema, examples }) =>
      examples.map((name) => ({ way, schema, name })),
    )
    expect(shown.length).toBeGreaterThan(40)
    for (const { way, schema, name } of shown) {
      const { value } = kept[name] ?? {}
      expect([way, name, await accepts(schema, value)]).toEqual([way, name, true])
    }
  })

  it('would not be, if they were something else', async () => {
    const bodies = places
      .filter(({ examples }) => examples.length > 0)
      .filter(({ way }) => way.includes('json'))
    expect(bodies.length).toBeGreaterThan(30)
    for (const { way, schema } of bodies) expect([way, await accepts(schema, 'text')]).toEqual([way, false])
  })

  it('are all shown somewhere', () => {
    const shown = new Set(places.flatMap(({ examples }) => examples))
    expect(Object.keys(kept).filter((name) => !shown.has(name))).toEqual([])
  })

  it('exist for every parameter, every JSON body that is sent, and every one that the profile returns', () => {
    const without = places
      .filter(({ way, examples }) => examples.length === 0 && !/multipart|x-www-form|^headers/.test(way))
      .map(({ way }) => way)
    // Any success and any failure have the bodies of those that the profile names.
    expect(without.filter((way) => !/^responses (Any\w+|\w*ServerError|\w*OtherError) /.test(way))).toEqual(
      [],
    )
    const described = operations().flatMap(({ requestBody, responses }) => [
      requestBody,
      ...responses.values(),
    ])
    expect(described.length).toBeGreaterThan(100)
  })

  it('contain no address or name of anyone', () => {
    const text = JSON.stringify(kept)
    const hosts = [...text.matchAll(/@([a-z0-9.-]+)|https?:\/\/([a-z0-9.-]+)/g)].map(
      ([, mail, host]) => mail ?? host,
    )
    expect(hosts.length).toBeGreaterThan(10)
    for (const host of hosts) expect(host).toMatch(/(^|\.)(example\.com|pretend\.invalid|www\.w3\.org)$/)
  })
})
