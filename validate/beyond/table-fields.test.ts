/**
 * The fields of a table, by its definition.
 */

import { describe, expect, it } from 'vitest'
import type { FieldDefinition, TableDefinition } from '../../spec/table-definition.ts'
import { broken, one } from '../../test/validate/broken.ts'
import { type JsonBody, note, plainExchange, time } from '../../test/validate/exchanges.ts'
import { createValidator } from '../create-validator.ts'

describe('the fields of a table', () => {
  const tables: TableDefinition[] = [
    {
      id: 'notes_id',
      name: 'notes',
      fields: [
        { type: 'text', name: 'title' },
        { type: 'number', name: 'rank', onlyInt: true },
        { type: 'bool', name: 'done' },
        { type: 'email', name: 'mail' },
        { type: 'url', name: 'link' },
        { type: 'editor', name: 'html' },
        { type: 'date', name: 'due' },
        { type: 'autodate', name: 'stamp' },
        { type: 'select', name: 'kind', values: ['a', 'b'] },
        { type: 'select', name: 'kinds', values: ['a', 'b'], maxSelect: 2 },
        { type: 'json', name: 'data' },
        { type: 'file', name: 'file' },
        { type: 'file', name: 'files', maxSelect: 3 },
        { type: 'relation', name: 'parent', collectionId: 'x' },
        { type: 'relation', name: 'parents', collectionId: 'x', maxSelect: 3 },
        { type: 'password', name: 'pin' },
        { type: 'geoPoint', name: 'place' },
        { type: 'text', name: 'secret', hidden: true },
      ],
    },
  ]
  const whole = {
    mail: 'a@b.c',
    link: 'https://x.y',
    html: '<p>',
    due: '',
    stamp: time,
    kind: 'a',
    kinds: ['a', 'b'],
    data: [1],
    file: '',
    files: ['a.png'],
    parent: 'id',
    parents: [],
    pin: '',
    place: { lon: 1, lat: 2 },
  }
  const knowing = createValidator({ profile: 'standard', tables })
  const strict = createValidator({ profile: 'standard', tables, strict: true })
  const view = (more: JsonBody) => plainExchange(note(0, { ...whole, ...more }), { url: one })

  it('conform, hidden ones shown or not', () => {
    expect(broken(view({}), strict)).toEqual([])
    expect(broken(view({ secret: 's' }), strict)).toEqual([])
    for (const data of [null, []]) expect(broken(view({ data }), strict)).toEqual([])
  })

  it('never show the value of a password field', () => {
    expect(knowing.validate(view({ pin: '1234' })).findings.map(({ received }) => received)).toEqual([
      'a value',
    ])
  })

  it('apply to an expanded record, which its identifier is enough for', () => {
    const expand = { by: note(1, { ...whole, collectionName: 'renamed', title: 5 }) }
    expect(broken(view({ expand }), knowing)).toEqual(['wire.schema $.expand.by.title'])
  })

  it('are without the password in an auth table', () => {
    const fields: FieldDefinition[] = [{ type: 'password', name: 'password' }]
    const auth = createValidator({ profile: 'standard', tables: [{ name: 'notes', type: 'auth', fields }] })
    expect(broken(plainExchange(note(), { url: one }), auth)).toEqual([])
  })

  it('may be of a type that the validator does not know', () => {
    const fields = [{ type: 'color', name: 'tone' } as unknown as FieldDefinition]
    const validator = createValidator({ profile: 'standard', tables: [{ name: 'notes', fields }] })
    expect(broken(plainExchange(note(0, { tone: 5 }), { url: one }), validator)).toEqual([])
  })

  it.each<[string, unknown, string]>([
    ['title', 1, 'record.table-fields'],
    ['title', undefined, 'field.zero-values'],
    ['rank', '1', 'number.casts'],
    ['rank', 1.5, 'number.casts'],
    ['done', 1, 'record.table-fields'],
    ['mail', 'nobody', 'email.format'],
    ['link', 'nowhere', 'url.format'],
    ['html', 1, 'editor.keeps-markup'],
    ['done', null, 'field.zero-values'],
    ['parent', null, 'field.zero-values'],
    ['data', undefined, 'field.zero-values'],
    ['html', null, 'field.zero-values'],
    ['due', '2024-01-01', 'date.normalises'],
    ['stamp', 5, 'date.normalises'],
    ['kind', 'c', 'select.casts'],
    ['kinds', 'a', 'select.casts'],
    ['kinds', ['a', 'b', 'a'], 'select.casts'],
    ['file', [], 'field.zero-values'],
    ['files', [''], 'file.stored-name'],
    ['parent', ['id'], 'relation.single-id'],
    ['parents', [1], 'relation.casts'],
    ['pin', '1234', 'password.never-shown'],
    ['place', { lon: '1', lat: 2 }, 'geo.casts'],
  ])('%s as %j is found', (name, value, requirement) => {
    expect(broken(view({ [name]: value }), knowing)).toEqual([`${requirement} $.${name}`])
  })

  it('knows how the name of the table is written', () => {
    const shouted = plainExchange(note(0, { ...whole, collectionName: 'NOTES' }), { url: one })
    expect(broken(shouted, knowing)).toEqual(['record.collection-name $.collectionName'])
    expect(broken(shouted)).toEqual([])
    expect(broken(plainExchange(note(0, whole), { url: one.replace('notes', 'NOTES') }), knowing)).toEqual([])
  })

  it('reports a key of no definition when strict', () => {
    expect(broken(view({ extra: 1 }), knowing)).toEqual([])
    expect(broken(view({ extra: 1 }), strict)).toEqual(['record.table-fields $.extra'])
  })

  it('leaves to the profile how a type looks where the document says nothing', () => {
    const open = createValidator({ tables, profile: 'none' })
    const failed = (more: JsonBody) =>
      open
        .validate(view(more))
        .findings.flatMap(({ requirement, status }) => (status === 'fail' ? [requirement] : []))
    const otherwise = { rank: '1', due: 5, kind: null, kinds: 'a', data: undefined, place: [1, 2] }
    expect(failed({ ...otherwise, parent: null, done: null, title: undefined })).toEqual([])
    expect(failed({ parent: { id: 'a' }, done: 1, title: 7 })).toEqual([
      'record.table-fields',
      'record.table-fields',
      'relation.single-id',
    ])
  })

  it('requires no field that was not picked, and no half of a point', () => {
    expect(broken(plainExchange({ title: 'a' }, { url: `${one}?fields=title` }), knowing)).toEqual([])
    const lat = (place: unknown) => plainExchange({ place }, { url: `${one}?fields=place.lat` })
    expect(broken(lat({ lat: 2 }), knowing)).toEqual([])
    expect(broken(lat({}), knowing)).toEqual([])
    expect(broken(lat({ lat: '2' }), knowing)).toEqual(['geo.casts $.place'])
    expect(broken(plainExchange({ mail: 'a' }, { url: `${one}?fields=mail:excerpt(1)` }), knowing)).toEqual(
      [],
    )
  })

  it.each(['example.com', 'a.bc', 'mailto:a@b.c', 'localhost:80', ''])('%j is a URL to it', (link) => {
    expect(broken(view({ link }), knowing)).toEqual([])
  })
})
