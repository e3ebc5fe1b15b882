/**
 * One operation of the general description, for some tables.
 *
 * @module
 */

import type { OperationId } from '../spec/vocabulary.ts'
import type { Ending } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import { exampleBodyOfCreate, exampleBodyOfUpdate } from './example-body.ts'
import type { Specializer } from './specializer.ts'
import { type Security, securityFor } from './table-group.ts'
import type { DescribedTable, Description, DescriptionPart } from './vocabulary.ts'

export type Operation = DescriptionPart & { operationId: OperationId; security?: Security }

/** The tables that an operation is about, and how their types are called. */
export interface Site {
  tables: readonly DescribedTable[]
  /** The table in the path. Absent: all tables, by a parameter. */
  only?: DescribedTable
  /** The id that a general operation has for these tables; undefined if they do not have the operation. */
  operationIdFor(general: OperationId): string | undefined
  /** Of the general description. */
  components: Description['components']
  /** The schema with this ending; undefined if there is none. */
  schemaFor(ending: Ending): string | undefined
  /** Whether no record can be created without a body. */
  needsBody: boolean
  specializer: Specializer
  documentOnly: boolean
}

const json = 'application/json'
const form = 'multipart/form-data'
const notShown = 'The document does not show it.'

/** @param named parameters of the path */
export function concreteOperation(
  general: Operation,
  named: readonly DescriptionPart[],
  site: Site,
): DescriptionPart {
  const { operationId, parameters = [], requestBody, responses = {}, security, ...others } = general
  const all = [...named, ...(parameters as DescriptionPart[]).filter((each) => !isUseless(each, site))]
  const body = bodyOf(operationId, requestBody as DescriptionPart | undefined, site)
  return {
    ...others,
    operationId: site.operationIdFor(operationId),
    ...(site.only !== undefined && { tags: [site.only.name] }),
    ...(security && {
      security: site.documentOnly ? security : securityFor(security, operationId, site.tables),
    }),
    ...(all.length > 0 && { parameters: all }),
    ...(body && { requestBody: body }),
    responses: responsesOf(responses as Record<string, DescriptionPart>, site),
  }
}

/** Parameters without a use: there is nothing to expand, or no second factor. */
function isUseless({ $ref }: DescriptionPart, site: Site): boolean {
  if ($ref === '#/components/parameters/mfaId') return !hasTwoFactors(site)
  return (
    $ref === '#/components/parameters/expand' &&
    site.only !== undefined &&
    site.schemaFor('Expand') === undefined
  )
}

/** Whether a sign-in may take two factors. The document does not say for which tables. */
function hasTwoFactors({ tables, documentOnly }: Site): boolean {
  return documentOnly || tables.some(({ twoFactors }) => twoFactors)
}

function bodyOf(
  id: OperationId,
  general: DescriptionPart | undefined,
  site: Site,
): DescriptionPart | undefined {
  if (id === 'createRecord')
    return recordBody('Create', 'CreateForm', general, site, site.only && exampleBodyOfCreate(site.only))
  if (id === 'updateRecord')
    return recordBody('Update', 'UpdateForm', general, site, site.only && exampleBodyOfUpdate(site.only))
  if (general !== undefined) return general
  const isPost = !/^(list|view|delete)/.test(id)
  return site.documentOnly && isPost ? { description: notShown, content: { [json]: {} } } : undefined
}

function recordBody(
  inJson: Ending,
  asForm: Ending,
  general: DescriptionPart | undefined,
  site: Site,
  example: DescriptionPart | undefined,
): DescriptionPart {
  const { components, schemaFor, needsBody, documentOnly } = site
  const source = resolved(general ?? {}, components)
  const [body, parts] = [schemaFor(inJson), schemaFor(asForm)]
  const shown = documentOnly || example === undefined ? {} : { example }
  return {
    description: source.description ?? 'Fields by name.',
    required: source.required === true || (inJson === 'Create' && needsBody),
    content: {
      ...(body && { [json]: { schema: componentReference(body), ...shown } }),
      ...(parts && { [form]: { schema: componentReference(parts) } }),
    },
  }
}

/** Each response by reference, unless what it holds or where it leads to depends on the tables. */
function responsesOf(general: Record<string, DescriptionPart>, site: Site): Record<string, DescriptionPart> {
  const { components, specializer } = site
  const possible = Object.entries(general).filter(
    ([, { $ref }]) => $ref !== '#/components/responses/MfaRequired' || hasTwoFactors(site),
  )
  const entries = possible.map(([status, response]) => {
    const { links, ...source } = resolved(response, components)
    if (links === undefined && !specializer.concerns(source)) return [status, response]
    const found = concreteLinks((links ?? {}) as Record<string, DescriptionPart>, site)
    return [
      status,
      { ...specializer.specialize(source), ...(Object.keys(found).length > 0 ? { links: found } : {}) },
    ]
  })
  // OpenAPI requires at least one.
  return entries.length > 0 ? Object.fromEntries(entries) : { default: { description: notShown } }
}

/** The links to operations that the description contains, with the parameters that they have. */
function concreteLinks(links: Record<string, DescriptionPart>, site: Site): Record<string, DescriptionPart> {
  const entries = Object.entries(links).flatMap(([name, general]) => {
    const { operationId, parameters, ...others } = resolved(general, site.components)
    const target = site.operationIdFor(operationId as OperationId)
    const { table, ...values } = (parameters ?? {}) as DescriptionPart
    if (target === undefined || ('mfaId' in values && !hasTwoFactors(site))) return []
    const sent = { ...(site.only === undefined ? { table } : {}), ...values }
    const link = {
      ...others,
      operationId: target,
      ...(Object.keys(sent).length > 0 ? { parameters: sent } : {}),
    }
    return [[name, link] as const]
  })
  return Object.fromEntries(entries)
}

function resolved(part: DescriptionPart, components: Description['components']): DescriptionPart {
  if (typeof part.$ref !== 'string') return part
  const [, , kind = '', name = ''] = part.$ref.split('/')
  return components[kind]?.[name] ?? {}
}
