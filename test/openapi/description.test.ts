/** The description of the shop as a file: valid for others, the same for the same tables, and small in its diffs. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { validate as judge } from '@hyperjump/json-schema/openapi-3-1'
import { Validator } from '@seriousme/openapi-schema-validator'
import spectral, { type RulesetDefinition } from '@stoplight/spectral-core'
import parsers from '@stoplight/spectral-parsers'
import rulesets from '@stoplight/spectral-rulesets'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { isHolder } from '../../exchange/json-object.ts'
import {
  type DescribeOptions,
  describeTables,
  type ExportedTable,
  writeDescription,
} from '../../openapi/openapi.ts'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import { shopTables } from './shop.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../..', import.meta.url))

const forms: DescribeOptions[] = (['enum', 'per-table'] as const).flatMap((paths) =>
  (['3.1', '3.0'] as const).flatMap((openapi) =>
    [false, true].map((documentOnly) => ({ paths, openapi, documentOnly })),
  ),
)
/** Parsers and linters take seconds for each: of every version, both kinds of paths, with and without the profile. */
const checkedForms = forms.filter(inSample(3))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'description-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe.each([
  ['the shop', shopTables()],
  ['the tables of the suite', tableDefinitions()],
] as [string, ExportedTable[]][])('%s', (_name, tables) => {
  it.each(checkedForms)('is valid as $paths, $openapi, document only: $documentOnly', async (options) => {
    const description = describeTables(tables, options)
    expect(await new Validator().validate({ ...description })).toEqual({ valid: true })
    if (options.openapi === '3.0') return
    const dialect = 'https://spec.openapis.org/oas/3.1/schema-base'
    expect(await judge(dialect, structuredClone(description) as never)).toMatchObject({ valid: true })
  })

  it('says nothing that the document does not say, if that is requested', () => {
    const { components, paths } = describeTables(tables, { documentOnly: true })
    const { schemas = {}, parameters = {} } = components
    const text = JSON.stringify({ components, paths })
    expect(text).not.toMatch(/profile|"maximum|minItems|maxItems"|"maxLength"|"200"|"400"/)
    expect(Object.keys(parameters)).toEqual(expect.arrayContaining(['table', 'authTable', 'id']))
    expect(Object.keys(parameters)).not.toEqual(expect.arrayContaining(['filter']))
    const bodies = Object.entries(schemas).filter(([name]) => /(?:Create|Update)$/.test(name))
    expect(bodies.length).toBeGreaterThan(10)
    expect(JSON.stringify(bodies)).not.toMatch(/"(?:required|pattern|minLength|enum)"/)
  })
})

describe('security', () => {
  const { paths } = describeTables(shopTables(), { paths: 'per-table' })
  const schemesOf = (path: string, method: 'get' | 'post' | 'patch' | 'delete') => {
    const operation = paths[`/api/v1/collections/${path}`]?.[method] as { security?: object[] } | undefined
    return operation?.security?.map((schemes) => Object.keys(schemes).join())
  }
  const all = ['', 'userSession', 'superuser', 'projectKey']

  it.each([
    ['an empty rule lets guests in', 'categories/records', 'get', all],
    ['a rule about the caller asks for a session', 'orders/records', 'get', all.slice(1)],
    ['a rule about the record lets guests see some', 'products/records', 'get', all],
    ['a rule about either does too', 'users/records/{id}', 'get', all],
    ['a rule about the role asks for a session', 'products/records', 'post', all.slice(1)],
    ['without a rule, only superusers and keys', 'stores/records', 'post', all.slice(2)],
    ['each operation has its own rule', 'couriers/records/{id}', 'delete', all.slice(2)],
  ] as const)('%s', (_name, path, method, schemes) => {
    expect(schemesOf(path, method)).toEqual(schemes)
  })
})

describe('Spectral', () => {
  it.each(forms.filter(({ paths }) => paths === 'enum').slice(0, inFull ? undefined : 1))(
    'has nothing to say of $openapi, document only: $documentOnly',
    async (options) => {
      const linter = new spectral.Spectral()
      const rules = rulesets.oas as unknown as RulesetDefinition
      // License, contact and host are for the owner of the tables to say.
      const off = Object.fromEntries(ownersRules.map((rule) => [rule, 'off' as const]))
      linter.setRuleset({ extends: [[rules, 'all']], rules: off })
      const text = writeDescription(describeTables(shopTables(), options), 'yaml')
      const problems = await linter.run(new spectral.Document(text, parsers.Yaml, 'shop.yaml'))
      expect(problems.map(({ code, path, message }) => `${code} ${path.join('/')}: ${message}`)).toEqual([])
    },
    180_000,
  )
})

const ownersRules = ['info-contact', 'info-license', 'license-url', 'contact-properties']

describe('Redocly', () => {
  const lint = async (strings: readonly string[]) => {
    const config = join(folder, 'redocly.yaml')
    // Only you can say the license of your tables; and the document gives no statuses.
    const rules = '{ info-license: off, info-license-strict: off, operation-4xx-response: off }'
    await writeFile(config, `extends: [recommended-strict]\nrules: ${rules}\n`)
    const files = strings.map((_, at) => join(folder, `linted-${at}.yaml`))
    await Promise.all(files.map((file, at) => writeFile(file, strings[at] ?? '')))
    const args = ['node_modules/@redocly/cli/bin/cli.js', 'lint', `--config=${config}`, ...files]
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
    return run(process.execPath, args, { cwd: root, env })
  }
  const textOf = (options: DescribeOptions) => writeDescription(describeTables(shopTables(), options), 'yaml')

  it('has nothing to say', async () => {
    const { stderr } = await lint(checkedForms.map(textOf))
    expect(stderr.match(/Your API description(?:s are| is) valid/g)).toHaveLength(1)
  }, 120_000)

  it('would say something', async () => {
    const broken = textOf({}).replace('\n      operationId: viewRecord', '\n      operationId: listRecords')
    await expect(lint([broken])).rejects.toMatchObject({
      stdout: expect.stringContaining('operation-operationId-unique'),
    })
  }, 120_000)
})

describe('the text', () => {
  const textOf = (
    tables: readonly ExportedTable[],
    options: DescribeOptions = {},
    format: 'yaml' | 'json' = 'yaml',
  ) => writeDescription(describeTables(tables, options), format)

  it('is the same for the same tables, whatever their order', () => {
    for (const options of checkedForms)
      expect(textOf(shopTables().toReversed(), options)).toBe(textOf(shopTables(), options))
  })

  it('says the same as YAML and as JSON', () => {
    // Parsers of YAML take seconds for each.
    for (const options of inFull ? forms : forms.slice(0, 1)) {
      const json = JSON.parse(textOf(shopTables(), options, 'json'))
      expect(parse(textOf(shopTables(), options))).toEqual(json)
      // As parsers of YAML 1.1 read it, in which `yes` is true.
      expect(parse(textOf(shopTables(), options), { version: '1.1' })).toEqual(json)
    }
  })

  it.each(['enum', 'per-table'] as const)('with one more field changes no line of another (%s)', (paths) => {
    const before = describeTables(shopTables(), { paths })
    const old = writeDescription(before, 'yaml').split('\n')
    for (const [field, names] of added) {
      const after = describeTables(withField('products', field), { paths })
      expect(isPartOf(old, writeDescription(after, 'yaml').split('\n'))).toBe(true)
      const places = newPlaces(before, after)
      expect(places.length).toBeGreaterThan(2)
      expect(places.filter((place) => !names.some((name) => place.includes(name)))).toEqual([])
    }
  })

  it('with one more field has a diff that can be read', async () => {
    const [before, after] = [join(folder, 'before.yaml'), join(folder, 'after.yaml')]
    await writeFile(before, textOf(shopTables()))
    await writeFile(after, textOf(withField('stores', { name: 'opened', type: 'date', required: true })))
    // git says by its exit code that there is a difference.
    const { stdout } = await run('git', ['diff', '--no-index', '--unified=0', before, after]).catch(
      (error: { stdout: string }) => error,
    )
    const lines = stdout.split('\n').filter((line) => /^[+-](?![+-]{2} )/.test(line))
    expect(lines).toMatchSnapshot()
  })
})

type NewField = NonNullable<ExportedTable['fields']>[number]

/** Fields, and the names of what is about them. */
const added: [NewField, string[]][] = [
  [{ name: 'weight', type: 'number', min: 3 }, ['weight', 'weight+', 'weight-']],
  [{ name: 'code', type: 'text', required: true, pattern: '^[A-Z]+$' }, ['code']],
  [{ name: 'color', type: 'select', values: ['red', 'blue'] }, ['color', 'ProductsColorOption']],
  [
    { name: 'sizes', type: 'select', values: ['s', 'm'], maxSelect: 2 },
    ['sizes', 'sizes+', '+sizes', 'sizes-', 'ProductsSizesOption'],
  ],
  [{ name: 'vendor', type: 'relation', collectionId: '_pb_users_auth_' }, ['vendor', 'products_via_vendor']],
  [{ name: 'manual', type: 'file' }, ['manual']],
]

/** The shop with one more field before the last two of a table, where an editor of tables puts it. */
function withField(table: string, field: NewField): ExportedTable[] {
  return shopTables().map((each) => {
    const { fields = [] } = each
    return each.name === table
      ? { ...each, fields: [...fields.slice(0, -2), field, ...fields.slice(-2)] }
      : each
  })
}

/** Whether all lines are among the others, in their order. */
function isPartOf(lines: readonly string[], others: readonly string[]): boolean {
  let next = 0
  for (const other of others) if (other === lines[next]) next += 1
  return next === lines.length
}

/** Where the second has what the first has not: the keys on the way, and for a value of a list the value. */
function newPlaces(before: unknown, after: unknown, way: string[] = []): string[][] {
  if (Array.isArray(before) && Array.isArray(after)) {
    const known = new Set(before.map((value) => JSON.stringify(value)))
    return after.flatMap((value) => (known.has(JSON.stringify(value)) ? [] : [[...way, String(value)]]))
  }
  if (!isHolder(before) || !isHolder(after)) return before === after ? [] : [[...way, 'changed']]
  return Object.keys(after).flatMap((key) =>
    key in before ? newPlaces(before[key], after[key], [...way, key]) : [[...way, key]],
  )
}
