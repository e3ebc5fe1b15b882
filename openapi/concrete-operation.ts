/**
 * One operation of the general description, for some tables.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'
import type { Ending } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import type { Specialiser } from './specialise.ts'
import { type Security, securityFor } from './table-operations.ts'
import type { DescribedTable, Description, Part } from './vocabulary.ts'

export type Operation = Part & { operationId: OperationId; security?: Security }

/** The tables that an operation is about, and how their types are called. */
export interface Site {
  tables: readonly DescribedTable[]
  /** The table in the path. Absent: all tables, by a parameter. */
  only?: DescribedTable
  /** Name of the copy of a component for this table. */
  copyName(general: string): string
  /** Of the general description. */
  components: Description['components']
  /** The schema with this ending; undefined where there is none. */
  schemaFor(ending: Ending): string | undefined
  /** Whether no record can be created without a body. */
  needsBody: boolean
  specialiser: Specialiser
  documentOnly: boolean
}

const json = 'application/json'
const form = 'multipart/form-data'
const notShown = 'The document does not show it.'

/** @param named parameters of the path */
export function concreteOperation(general: Operation, named: readonly Part[], site: Site): Part {
  const { operationId, parameters = [], requestBody, responses = {}, security, ...others } = general
  const all = [...named, ...(parameters as Part[]).filter((each) => !isUseless(each, site))]
  const body = bodyOf(operationId, requestBody as Part | undefined, site)
  return {
    ...others,
    operationId: operationIdFor(operationId, site),
    ...(site.only === undefined ? {} : { tags: [site.only.name] }),
    ...(security && {
      security: site.documentOnly ? security : securityFor(security, operationId, site.tables),
    }),
    ...(all.length > 0 ? { parameters: all } : {}),
    ...(body && { requestBody: body }),
    responses: responsesOf(responses as Record<string, Part>, site),
  }
}

/** `listRecords` becomes `listPostsRecords`, and `authRefresh` becomes `authRefreshUsers`. */
function operationIdFor(id: OperationId, { only, copyName }: Site): string {
  if (only === undefined) return id
  return /Records?$/.test(id) ? id.replace(/Records?$/, copyName) : id + copyName('')
}

/** There is nothing to expand, or no second factor. */
function isUseless({ $ref }: Part, site: Site): boolean {
  if ($ref === '#/components/parameters/mfaId') return !hasTwoFactors(site)
  return (
    $ref === '#/components/parameters/expand' &&
    site.only !== undefined &&
    site.schemaFor('Expand') === undefined
  )
}

/** The document does not show which tables ask for them. */
function hasTwoFactors({ tables, documentOnly }: Site): boolean {
  return documentOnly || tables.some(({ twoFactors }) => twoFactors)
}

function bodyOf(id: OperationId, general: Part | undefined, site: Site): Part | undefined {
  if (id === 'createRecord') return recordBody('Create', 'CreateForm', general, site)
  if (id === 'updateRecord') return recordBody('Update', 'UpdateForm', general, site)
  if (general !== undefined) return general
  const isPost = !/^(list|view|delete)/.test(id)
  return site.documentOnly && isPost ? { description: notShown, content: { [json]: {} } } : undefined
}

function recordBody(inJson: Ending, asForm: Ending, general: Part | undefined, site: Site): Part {
  const { components, schemaFor, needsBody } = site
  const source = resolved(general ?? {}, components)
  const [body, parts] = [schemaFor(inJson), schemaFor(asForm)]
  return {
    description: source.description ?? 'Fields by name.',
    required: source.required === true || (inJson === 'Create' && needsBody),
    content: {
      ...(body && { [json]: { schema: componentReference(body) } }),
      ...(parts && { [form]: { schema: componentReference(parts) } }),
    },
  }
}

/** Each response by reference, unless what it holds depends on the tables. */
function responsesOf(general: Record<string, Part>, site: Site): Record<string, Part> {
  const { components, specialiser } = site
  const possible = Object.entries(general).filter(
    ([, { $ref }]) => $ref !== '#/components/responses/MfaRequired' || hasTwoFactors(site),
  )
  const entries = possible.map(([status, response]) => {
    const source = resolved(response, components)
    return [status, specialiser.concerns(source) ? specialised(source, specialiser) : response]
  })
  // OpenAPI asks for at least one.
  return entries.length > 0 ? Object.fromEntries(entries) : { default: { description: notShown } }
}

/** Without the examples, which are about tables of ours. */
function specialised(response: Part, specialiser: Specialiser): Part {
  const content = Object.entries((response.content ?? {}) as Record<string, Part>)
  return {
    ...response,
    content: Object.fromEntries(
      content.map(([type, { schema }]) => [type, { schema: specialiser.specialise(schema) }]),
    ),
  }
}

function resolved(part: Part, components: Description['components']): Part {
  if (typeof part.$ref !== 'string') return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  return components[kind]?.[name] ?? {}
}
