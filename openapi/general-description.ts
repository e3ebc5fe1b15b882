/**
 * The general description that tables are added to: `spec/openapi.yaml`, prepared for them.
 *
 * @module
 */

import { openApiDocument } from '../spec/openapi.ts'
import { documentOnly } from './document-only.ts'
import { plainSchemas } from './plain-schemas.ts'
import type { Description, DescriptionPart } from './vocabulary.ts'

/**
 * In the profile, a first factor and a rejection have separate statuses, so a sign-in response is always a sign-in.
 * Also, some code generators call the whole response of the operation `batch` a `BatchResponse`.
 */
const renamed: Readonly<Record<string, string>> = {
  SignInResponse: 'AuthResponse',
  BatchResponse: 'BatchResults',
}

/**
 * The description of this package, ready for tables to be added: without extensions, with JSON bodies only.
 *
 * @param stated omits what the profile adds to the document
 */
export function generalDescription(stated: boolean): Description {
  const document = openApiDocument() as unknown as Description
  return withoutExamples(
    withoutForms(plainSchemas(stated ? documentOnly(document) : withoutOtherSuccess(rename(document)))),
  )
}

/** The examples are exchanges about other tables. Examples of a schema are lists, and are kept. */
function withoutExamples(description: Description): Description {
  const { examples: _, ...components } = description.components
  const text = JSON.stringify({ ...description, components }, (key, value) =>
    key === 'examples' && !Array.isArray(value) ? undefined : value,
  )
  return JSON.parse(text) as Description
}

/** What the document says about a success with any status: the profile defines the status. */
function withoutOtherSuccess(description: Description): Description {
  const changed = (part: unknown): unknown => {
    const { responses, ...others } = (part ?? {}) as DescriptionPart
    if (responses === undefined) return part
    const { '2XX': _, ...left } = responses as DescriptionPart
    return { ...others, responses: left }
  }
  const paths = Object.entries(description.paths).map(([path, item]) => {
    const entries = Object.entries(item).map(([key, part]) => [key, changed(part)])
    return [path, Object.fromEntries(entries)] as const
  })
  return { ...description, paths: Object.fromEntries(paths) }
}

function rename(document: Description): Description {
  const text = Object.entries(renamed).reduce(
    (each, [from, to]) => each.replaceAll(`"#/components/schemas/${from}"`, `"#/components/schemas/${to}"`),
    JSON.stringify(document),
  )
  const description = JSON.parse(text) as Description
  const { schemas = {} } = description.components
  const entries = Object.entries(schemas).flatMap(([name, schema]) => {
    const other = renamed[name] ?? name
    // If there is a schema with the new name, it takes the place of this one.
    return other !== name && schemas[other] !== undefined ? [] : [[other, schema] as const]
  })
  return {
    ...description,
    components: { ...description.components, schemas: Object.fromEntries(entries) },
  }
}

/** The profile accepts each body as a form, too. Describing both helps neither readers nor code generators. */
function withoutForms(description: Description): Description {
  const { requestBodies = {}, ...others } = description.components
  const bodies = Object.entries(requestBodies).map(([name, body]) => {
    const { 'application/json': content = {} } = (body.content ?? {}) as Record<string, DescriptionPart>
    return [name, { ...body, content: { 'application/json': content } }]
  })
  return { ...description, components: { ...others, requestBodies: Object.fromEntries(bodies) } }
}
