/**
 * The steps of a description in their order: complete the tables, name and make their components, write the paths.
 *
 * @module
 */

import { didYouMean, quoted } from '../spec/nearest.ts'
import { documentPrefix } from '../spec/prefix.ts'
import { batchSchemas } from './batch-schemas.ts'
import { completeTables } from './complete-tables.ts'
import { type ComponentNames, nameComponents } from './component-names.ts'
import { componentReference } from './component-reference.ts'
import { concretePaths } from './concrete-paths.ts'
import { downgrade } from './downgrade.ts'
import { otherRecord } from './expand-schema.ts'
import { generalDescription } from './general-description.ts'
import { wholeObject } from './plain-schemas.ts'
import { pruneComponents } from './prune-components.ts'
import { tableSchemas } from './table-schemas.ts'
import type {
  DescribedTable,
  DescribeOptions,
  Description,
  DescriptionPart,
  ExportedTable,
} from './vocabulary.ts'

/** Names for components of tables must not be one of these. */
const generalComponents = [
  otherRecord,
  'DeleteEntry',
  'AnyCreate',
  'AnyUpdate',
  'AnyCreateForm',
  'AnyUpdateForm',
]

const choices = {
  paths: ['enum', 'per-table'],
  openapi: ['3.0', '3.1'],
} as const

/**
 * An OpenAPI description of tables: every field with its type and limits, what `expand` adds, which table has which
 * operations, and where rules require a token. It is the general description of this package (`spec/openapi.yaml`) with
 * the tables put in.
 *
 * The same tables give the same description, whatever their order. A field that is added changes only the lines that
 * are about it.
 *
 * @param tables definitions in the JSON form that the living family exports
 * @throws Error that names the table, the place in it, and the nearest word that would be right
 *
 * @example
 * ```ts
 * import { describeTables } from 'record-auth-conformance/openapi'
 *
 * const description = describeTables(
 *   [{ name: 'posts', listRule: '', fields: [{ name: 'title', type: 'text' }] }],
 *   { paths: 'per-table', title: 'Posts' },
 * )
 * console.log(Object.keys(description.paths))
 * ```
 */
export function describeTables(tables: readonly ExportedTable[], options: DescribeOptions = {}): Description {
  for (const [name, known] of Object.entries(choices)) expectOneOf(name, options[name as 'paths'], known)
  const { prefix = documentPrefix, documentOnly: stated = false, paths: form = 'enum' } = options
  const general = generalDescription(stated)
  const described = completeTables(tables).filter(({ name }) => options.system || !isSystem(tables, name))
  if (described.length === 0)
    throw new Error('There is no table to describe. Pass at least one table that is not a system table.')

  const { schemas = {} } = general.components
  const names = nameComponents(described, Object.keys(schemas), generalComponents)
  const made = { ...schemas, ...componentsOf(described, schemas, { names, documentOnly: stated, prefix }) }
  const parameters = { ...general.components.parameters }
  const paths = concretePaths({
    general,
    tables: described,
    names,
    schemas: made,
    parameters,
    perTable: form === 'per-table',
    documentOnly: stated,
  })
  const description = pruneComponents({
    ...general,
    // The general description names our license and contact, which do not apply to the user's tables.
    info: {
      title: options.title ?? general.info.title,
      version: general.info.version,
      summary: 'The tables of one server.',
      description:
        'Written by `conformance openapi` from table definitions: change those, and write this description again.',
    },
    servers: [{ url: options.server ?? '/' }],
    tags: [...(form === 'enum' ? [] : described.map(tagOf)), ...(general.tags ?? [])],
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [path.replace(documentPrefix, prefix), item]),
    ),
    components: { ...general.components, parameters, schemas: made },
  })
  return options.openapi === '3.0' ? downgrade(description) : description
}

function expectOneOf(name: string, value: string | undefined, known: readonly string[]): void {
  if (value === undefined || known.includes(value)) return
  throw new Error(
    `The option "${name}" cannot be ${quoted(value)}.${didYouMean(value, known)} Its values are ${known.join(', ')}.`,
  )
}

function isSystem(tables: readonly ExportedTable[], name: string): boolean {
  return tables.some((table) => table.name === name && table.system === true)
}

function tagOf({ name, type }: DescribedTable): DescriptionPart {
  const contents = type === 'auth' ? 'Records and sign-in' : 'Records'
  return { name, description: `${contents} of \`${name}\`.` }
}

interface Making {
  names: ComponentNames
  documentOnly: boolean
  prefix: string
}

/** The components of all tables, and the components of the general description that are now about these tables. */
function componentsOf(
  tables: readonly DescribedTable[],
  schemas: Readonly<Record<string, DescriptionPart>>,
  { names, documentOnly, prefix }: Making,
): Record<string, DescriptionPart> {
  const anyTable = wholeObject(componentReference('Record'), schemas)
  const authTable = wholeObject(componentReference('AuthRecord'), schemas)
  const made: Record<string, DescriptionPart> = {
    [otherRecord]: { ...anyTable, description: 'A record of a table that is not described here.' },
  }
  for (const table of tables) {
    const base = table.type === 'auth' ? authTable : anyTable
    Object.assign(made, tableSchemas(table, base, { tables, names, documentOnly }))
  }
  const writable = tables.filter(({ type }) => type !== 'view')
  const { SubRequest = {} } = schemas
  const has = (name: string) => made[name] !== undefined
  const entries = batchSchemas(SubRequest, writable, prefix, names, has)
  const auth = tables.filter(({ type }) => type === 'auth')
  const bodies = (['Create', 'Update', 'CreateForm', 'UpdateForm'] as const).map((ending) => {
    const found = writable.map((table) => names.of(table, ending)).filter(has)
    return [`Any${ending}`, found.length === 0 ? undefined : anyOf(found)] as const
  })
  return {
    ...made,
    ...entries,
    AnyRecord: anyRecordOf(tables, names),
    AuthRecord: anyRecordOf(auth, names),
    // Not "any of them, and with its address": generators lose the discriminator inside `allOf`.
    SignedInRecord: componentReference('AuthRecord'),
    SubRequest: { description: 'One write of a batch.', ...anyOf(Object.keys(entries)) },
    ...(Object.fromEntries(bodies.filter(([, schema]) => schema !== undefined)) as Record<
      string,
      DescriptionPart
    >),
  }
}

function anyOf(names: readonly string[]): DescriptionPart {
  const [only, ...others] = names.map(componentReference)
  return others.length === 0 ? { ...only } : { anyOf: [only, ...others] }
}

/** Each record names its table, in `collectionName`. */
function anyRecordOf(tables: readonly DescribedTable[], names: ComponentNames): DescriptionPart {
  const [only, ...others] = tables.map((table) => names.of(table, 'Record'))
  if (only === undefined || others.length === 0) return only === undefined ? {} : componentReference(only)
  const mapping = tables.map((table) => [table.name, componentReference(names.of(table, 'Record')).$ref])
  return {
    description: 'A record of one of these tables. `collectionName` is the name of its table.',
    oneOf: [only, ...others].map(componentReference),
    discriminator: { propertyName: 'collectionName', mapping: Object.fromEntries(mapping) },
  }
}
