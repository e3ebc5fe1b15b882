import { describe, expect, it } from 'vitest'
import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { tableDefinitions } from '../../spec/tables.ts'
import type { Table } from '../vocabulary.ts'
import { compileTable } from './compile-table.ts'
import { DefinitionError } from './definition-error.ts'
import { systemTables } from './system.ts'
import { fieldId, tableId } from './table-id.ts'

function compile(definition: TableDefinition, others: TableDefinition[] = []): Table {
  return compileTable(definition, [...others, definition])
}

function codes(definition: TableDefinition, others: TableDefinition[] = []): Record<string, string> {
  try {
    compile(definition, others)
    return {}
  } catch (error) {
    if (!(error instanceof DefinitionError)) throw error
    return Object.fromEntries(Object.entries(error.problems).map(([path, { code }]) => [path, code]))
  }
}

describe('compileTable', () => {
  it('needs no more than a name', () => {
    const table = compile({ name: 'x' })
    expect(table).toMatchObject({ id: tableId('base', 'x'), name: 'x', type: 'base', system: false })
    expect(table.fields.map(({ name }) => name)).toEqual(['id', 'created', 'updated'])
    expect(table.rule('listRule')).toBeNull()
    expect(table.field('id')?.definition).toMatchObject({ id: 'text3208210256', primaryKey: true, min: 15 })
  })

  it('makes the ids that other servers of the living family make', () => {
    expect(tableId('auth', '_superusers')).toBe('pbc_3142635823')
    expect(tableId('base', '_otps')).toBe('pbc_1638494021')
    expect(fieldId('autodate', 'created')).toBe('autodate2990389176')
  })

  it('keeps stamps that are defined, where they are', () => {
    const table = compile({ name: 'x', fields: [{ name: 'updated', type: 'autodate', onUpdate: true }] })
    expect(table.fields.map(({ name }) => name)).toEqual(['id', 'updated', 'created'])
    expect(table.field('updated')?.definition).toMatchObject({ onCreate: false, onUpdate: true })
  })

  it('fills in every option, and knows which values are lists', () => {
    const table = compile({
      name: 'x',
      fields: [{ name: 's', type: 'select', values: ['a', 'b'], maxSelect: 2 }],
    })
    expect(table.field('s')).toMatchObject({ multiple: true, hidden: false })
    expect(table.field('s')?.definition).toMatchObject({
      required: false,
      presentable: false,
      system: false,
      help: '',
    })
  })

  it('gives auth tables their fields and indexes', () => {
    const table = compile({
      id: 'auth1',
      name: 'x',
      type: 'auth',
      fields: [
        { name: 'nick', type: 'text' },
        { name: 'email', type: 'email', required: false, hidden: true },
        { name: 'tokenKey', type: 'text', hidden: false },
      ],
    })
    const names = [
      'id',
      'password',
      'tokenKey',
      'email',
      'emailVisibility',
      'verified',
      'nick',
      'created',
      'updated',
    ]
    expect(table.fields.map(({ name }) => name)).toEqual(names)
    expect(table.field('email')).toMatchObject({
      hidden: false,
      definition: { required: false, system: true },
    })
    expect(table.field('tokenKey')).toMatchObject({ hidden: true, definition: { min: 30, max: 60 } })
    expect(table.uniqueIndexes.map(({ name }) => name)).toEqual(['idx_tokenKey_auth1', 'idx_email_auth1'])
    expect(table.rule('authRule')).toBe('')
    expect(table.definition).toMatchObject({
      passwordAuth: { enabled: true, identityFields: ['email'] },
      otp: { enabled: false, duration: 180, length: 8 },
      authToken: { duration: 432_000 },
    })
  })

  it('compiles the tables of the suites and of the system, and again what it made of them', () => {
    const all = [...systemTables, ...tableDefinitions()]
    const once = all.map((definition) => compileTable(definition, all).definition)
    const twice = once.map((definition) => compileTable(definition, once).definition)
    expect(twice).toEqual(once)
  })
})

describe('problems of a field', () => {
  const relation: FieldDefinition = { name: 'f', type: 'relation', collectionId: 'target' }
  it.each<[FieldDefinition, Record<string, string>]>([
    [{ name: 'f', type: 'text', min: 5, max: 3 }, { max: 'validation_min_greater_equal_than_required' }],
    [{ name: 'f', type: 'text', min: -1 }, { min: 'validation_min_greater_equal_than_required' }],
    [{ name: 'f', type: 'text', pattern: '(?=a)' }, { pattern: 'validation_invalid_regex' }],
    [
      { name: 'f', type: 'text', autogeneratePattern: '(?=a)' },
      { autogeneratePattern: 'validation_invalid_autogenerate_pattern' },
    ],
    [
      { name: 'f', type: 'text', autogeneratePattern: '[a-z]{3}', min: 5 },
      { autogeneratePattern: 'validation_invalid_autogenerate_pattern_value' },
    ],
    [{ name: 'f', type: 'text', primaryKey: true }, { primaryKey: 'validation_unsupported_composite_pk' }],
    [{ name: 'f', type: 'number', min: 5, max: 3 }, { max: 'validation_min_number_constraint' }],
    [{ name: 'f', type: 'number', min: 1.5, onlyInt: true }, { min: 'validation_only_int_constraint' }],
    [
      { name: 'f', type: 'email', onlyDomains: ['a.b'], exceptDomains: ['c.d'] },
      { onlyDomains: 'validation_empty', exceptDomains: 'validation_empty' },
    ],
    [{ name: 'f', type: 'url', exceptDomains: ['x/'] }, { 'exceptDomains.0': 'validation_is_domain' }],
    [{ name: 'f', type: 'editor', maxSize: -1 }, { maxSize: 'validation_min_greater_equal_than_required' }],
    [
      { name: 'f', type: 'autodate' },
      { onCreate: 'validation_required', onUpdate: 'validation_required' },
    ],
    [{ name: 'f', type: 'select', values: [] }, { values: 'validation_required' }],
    [
      { name: 'f', type: 'select', values: ['a'], maxSelect: 3 },
      { maxSelect: 'validation_max_less_equal_than_required' },
    ],
    [
      { name: 'f', type: 'file', thumbs: ['abc', '0x0'] },
      { 'thumbs.0': 'validation_match_invalid', 'thumbs.1': 'validation_not_in_invalid' },
    ],
    [{ ...relation, collectionId: '' }, { collectionId: 'validation_required' }],
    [{ ...relation, collectionId: 'nope' }, { collectionId: 'validation_field_relation_missing_collection' }],
    [{ ...relation, minSelect: 2 }, { maxSelect: 'validation_required' }],
    [
      { ...relation, minSelect: 3, maxSelect: 2 },
      { maxSelect: 'validation_min_greater_equal_than_required' },
    ],
    [relation, {}],
    [{ name: 'f', type: 'password', max: 100 }, { max: 'validation_max_less_equal_than_required' }],
    [{ name: 'f', type: 'password', cost: 2 }, { cost: 'validation_min_greater_equal_than_required' }],
    [{ name: '', type: 'text' }, { name: 'validation_required' }],
    [{ name: 'a b', type: 'text' }, { name: 'validation_match_invalid' }],
    [{ name: 'expand', type: 'text' }, { name: 'validation_not_in_invalid' }],
    [{ name: '__proto__', type: 'text' }, { name: 'validation_not_in_invalid' }],
    [{ name: 'a_VIA_b', type: 'text' }, { name: 'validation_found_via' }],
    [{ name: 'x'.repeat(101), type: 'text' }, { name: 'validation_length_out_of_range' }],
    [{ name: 'f', type: 'text', help: 'x'.repeat(301) }, { help: 'validation_length_out_of_range' }],
    [{ name: 'id', type: 'number' }, { name: 'validation_duplicated_field_name' }],
    [{ name: 'f', type: 'view' } as unknown as FieldDefinition, { type: 'validation_in_invalid' }],
  ])('%j', (field, expected) => {
    const problems = codes({ name: 'x', fields: [field] }, [{ id: 'target', name: 'target' }])
    expect(problems).toEqual(
      Object.fromEntries(Object.entries(expected).map(([option, code]) => [`fields.0.${option}`, code])),
    )
  })

  it('distinguishes two fields of one name by their positions', () => {
    const fields: FieldDefinition[] = [
      { name: 'a', type: 'text' },
      { name: 'A', type: 'text' },
    ]
    expect(codes({ name: 'x', fields })).toEqual({ 'fields.1.name': 'validation_duplicated_field_name' })
  })
})

describe('problems of a table', () => {
  const fields: FieldDefinition[] = [{ name: 'f', type: 'text' }]
  const other: TableDefinition = {
    id: 'other_id',
    name: 'Other',
    indexes: ['CREATE INDEX taken ON Other (id)'],
  }

  it.each<[Partial<TableDefinition>, Record<string, string>]>([
    [{ name: 'other' }, { name: 'validation_collection_name_exists' }],
    [{ name: 'other_id' }, { name: 'validation_collection_name_id_duplicate' }],
    [{ name: 'a_via_b' }, { name: 'validation_found_via' }],
    [{ name: '' }, { name: 'validation_required' }],
    [{ id: 'a b' }, { id: 'validation_match_invalid' }],
    [{ id: 'other_id' }, { id: 'validation_invalid_or_existing_id' }],
    [{ type: 'view' as 'base' }, { type: 'validation_in_invalid' }],
    [{ indexes: ['garbage'] }, { 'indexes.0': 'validation_invalid_index_expression' }],
    [
      { indexes: ['CREATE INDEX a ON x (f)', 'CREATE UNIQUE INDEX A ON x (f)'] },
      { 'indexes.1': 'validation_duplicated_index_name' },
    ],
    [
      { indexes: ['CREATE INDEX a ON x (f)', 'CREATE INDEX b ON x (`f`)'] },
      { 'indexes.1': 'validation_duplicated_index_definition' },
    ],
    [{ indexes: ['CREATE INDEX `taken` ON x (f)'] }, { 'indexes.0': 'validation_existing_index_name' }],
    [
      { type: 'auth', fields: [{ name: 'oldPassword', type: 'text' }] },
      { 'fields.0.name': 'validation_reserved_field_name' },
    ],
    [
      { type: 'auth', passwordAuth: { identityFields: ['f'] } },
      { 'passwordAuth.identityFields': 'validation_missing_unique_constraint' },
    ],
    [
      { type: 'auth', passwordAuth: { identityFields: ['g'] } },
      { 'passwordAuth.identityFields': 'validation_missing_field' },
    ],
    [{ type: 'auth', manageRule: '' }, { manageRule: 'validation_nil_or_not_empty_required' }],
    [{ type: 'auth', mfa: { enabled: true } }, { 'mfa.enabled': 'validation_mfa_not_enough_auths' }],
    [
      { type: 'auth', otp: { enabled: true, length: 2, duration: 5 } },
      {
        'otp.duration': 'validation_min_greater_equal_than_required',
        'otp.length': 'validation_min_greater_equal_than_required',
      },
    ],
    [
      { type: 'auth', authToken: { duration: 5 } },
      { 'authToken.duration': 'validation_min_greater_equal_than_required' },
    ],
    [{ type: 'auth', authToken: { secret: 'x' } }, { 'authToken.secret': 'validation_length_out_of_range' }],
  ])('%j', (definition, expected) => {
    expect(codes({ name: 'x', fields, ...definition }, [other])).toEqual(expected)
  })

  it.each([
    [
      'autors',
      'field "f", collectionId: The relation collection doesn\'t exist. No table has the id or name "autors". Did you mean the table "authors"? Its id is "pbc_526341563".',
    ],
    ['xyzzyxyzzy', 'No table has the id or name "xyzzyxyzzy".'],
  ])('say which table a relation may mean with %s', (collectionId, hint) => {
    const definition: TableDefinition = {
      name: 'posts',
      fields: [{ name: 'f', type: 'relation', collectionId }],
    }
    expect(() => compileTable(definition, [definition, { name: 'authors' }])).toThrow(hint)
  })

  it.each(['base', 'auth'] as const)('do not include a relation to a table by its name: %s', (type) => {
    const authors: TableDefinition = { name: 'authors', type }
    const compiled = (collectionId: string) => {
      const definition: TableDefinition = {
        name: 'posts',
        fields: [{ name: 'author', type: 'relation', collectionId }],
      }
      return compileTable(definition, [definition, authors]).definition
    }
    const { id } = compileTable(authors, [authors])
    expect(compiled('authors')).toEqual(compiled(id))
    const named: TableDefinition = {
      name: 'people',
      id: 'people000000001',
      fields: [{ name: 'parent', type: 'relation', collectionId: 'people' }],
    }
    expect(compileTable(named, [named]).field('parent')?.definition).toMatchObject({
      collectionId: 'people000000001',
    })
  })

  it('names all of them at once, with place, fact and next step', () => {
    const definition: TableDefinition = {
      name: 'x',
      fields: [{ name: '', type: 'text' }],
      indexes: ['garbage'],
    }
    expect(() => compile(definition)).toThrow(
      [
        'The definition of table "x" cannot be used. Correct these places:',
        '  fields.0.name: Cannot be blank. (validation_required)',
        '  indexes.0: Invalid CREATE INDEX expression "garbage": expected CREATE, found "garbage". (validation_invalid_index_expression)',
      ].join('\n'),
    )
  })
})
