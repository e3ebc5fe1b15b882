/**
 * The entries of a batch, so that generated clients have a type for the body of each write.
 *
 * @module
 */

import { escapePattern } from '../spec/escape-pattern.ts'
import type { ComponentNames } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import { anyOfStrings } from './patterns.ts'
import type { DescribedTable, DescriptionPart } from './vocabulary.ts'

/**
 * The writes that a batch may contain: one component for creating and one for updating a record of each table, another
 * for updating it with `PUT`, which leaves out what it does not change, and one for deleting any record.
 *
 * @param general the write of the general description
 * @param prefix of the paths
 * @param has whether a component exists
 * @returns components by name
 */
export function batchSchemas(
  general: DescriptionPart,
  tables: readonly DescribedTable[],
  prefix: string,
  names: ComponentNames,
  has: (name: string) => boolean,
): Record<string, DescriptionPart> {
  const { method, url, body: _, ...others } = general.properties as Record<string, DescriptionPart>
  const { description: _about, ...shared } = general
  const upserts = allowedMethods(method).includes('PUT')
  const write = (
    description: string,
    methods: string[],
    pattern: string,
    body?: DescriptionPart,
  ): DescriptionPart => ({
    ...shared,
    description,
    required: [...((general.required ?? []) as string[]), ...(body === undefined ? [] : ['body'])],
    properties: {
      method: { type: 'string', enum: methods },
      url: { ...url, pattern: `^${pattern}(\\?.*)?$` },
      ...(body !== undefined && { body }),
      ...others,
    },
  })
  const start = `${escapePattern(prefix)}/collections`
  const id = '[^/?]+'
  const found: Record<string, DescriptionPart> = {}
  for (const table of tables) {
    const records = `${start}/${anyOfStrings([table.name, table.id])}/records`
    const [create, update] = [names.of(table, 'Create'), names.of(table, 'Update')]
    if (has(create))
      found[names.of(table, 'CreateEntry')] = write(
        `Creates a record of \`${table.name}\`.${upserts ? ' With `PUT`, updates the record if there is one with the id in the body.' : ''}`,
        upserts ? ['POST', 'PUT'] : ['POST'],
        records,
        componentReference(create),
      )
    found[names.of(table, 'UpdateEntry')] = write(
      `Updates a record of \`${table.name}\`.`,
      ['PATCH'],
      `${records}/${id}`,
      componentReference(update),
    )
    if (upserts)
      found[names.of(table, 'UpsertEntry')] = write(
        `Updates the record of \`${table.name}\` whose id is in the body.`,
        ['PUT'],
        records,
        {
          allOf: [
            componentReference(update),
            { type: 'object', required: ['id'], properties: { id: { type: 'string', minLength: 1 } } },
          ],
        },
      )
  }
  found.DeleteEntry = write('Deletes a record.', ['DELETE'], `${start}/${id}/records/${id}`)
  return found
}

function allowedMethods(method: unknown): string[] {
  const { enum: some = [], const: one, anyOf = [] } = (method ?? {}) as DescriptionPart
  return [
    ...(some as string[]),
    ...(one === undefined ? [] : [String(one)]),
    ...(anyOf as DescriptionPart[]).flatMap(allowedMethods),
  ]
}
