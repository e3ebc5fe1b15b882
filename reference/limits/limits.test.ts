/**
 * Each limit, set to a small value: requests within it are accepted, and requests beyond it are rejected with the name
 * of the limit.
 */

import { describe, expect, it } from 'vitest'
import { createReference } from '../reference.ts'
import { servicesOf } from '../services-of.ts'
import { defaultLimits, type Limits } from './limits.ts'

const notes = {
  id: 'table_notes0001',
  name: 'notes',
  listRule: '',
  viewRule: '',
  createRule: '',
  fields: [
    { name: 'title', type: 'text' as const },
    { name: 'data', type: 'json' as const },
    { name: 'kids', type: 'relation' as const, collectionId: 'table_notes0001', maxSelect: 9 },
  ],
}
const ids = Array.from({ length: 6 }, (_, at) => `note0000000000${at}`)

function limited(limits: Partial<Limits>) {
  const records = ids.map((id, at) => ({ id, title: `t${at}`, kids: ids }))
  const reference = createReference({ tables: [notes], records: { notes: records }, limits })
  return async (path: string, body?: string, type = 'application/json') => {
    const response = await reference.fetch(`/api/v1/${path}`, {
      ...(body !== undefined && { method: 'POST', body, headers: { 'content-type': type } }),
    })
    const { message = '', ...rest } = (await response.json()) as Record<string, unknown>
    return { status: response.status, message: String(message), rest }
  }
}

const urlencoded = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=b'
const part = (name: string) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\nx\r\n`
const list = 'collections/notes/records'
const filter = (text: string) => `${list}?filter=${encodeURIComponent(text)}`
const batch = (...filters: string[]) =>
  JSON.stringify({
    requests: filters.map((title) => ({
      method: 'POST',
      url: '/api/v1/collections/notes/records?expand=kids',
      body: { title, kids: ids.slice(0, 2) },
    })),
  })

describe.each<
  [
    keyof Limits,
    number,
    fits: Parameters<ReturnType<typeof limited>>,
    exceeds: Parameters<ReturnType<typeof limited>>,
  ]
>([
  [
    'steps',
    60,
    [filter('title = "t1"')],
    [
      filter(
        'title = "a" || title = "b" || title = "c" || title = "d" || title = "e" || title = "f" || title = "g" || title = "h" || title = "i" || title = "j"',
      ),
    ],
  ],
  ['stepsAtOnce', 400, [filter('kids.title ?= "t1"')], [filter('kids.kids.kids.title != "x"')]],
  ['expandedRecords', 40, [`${list}?expand=kids`], [`${list}?expand=kids.kids`]],
  ['expandedRecords', 3, ['batch', batch('x')], ['batch', batch('x', 'y')]],
  ['responseLength', 800, [`${list}?perPage=1`], [`${list}?perPage=6`]],
  ['jsonKeys', 3, [list, '{"data":{"a":1,"b":2}}'], [list, '{"data":{"a":1,"b":2,"c":3}}']],
  ['jsonValues', 6, [list, '{"data":[1,2,3]}'], [list, '{"data":[1,2,3,4,5,6]}']],
  ['jsonDepth', 3, [list, '{"data":[[1]]}'], [list, '{"data":[[[1]]]}']],
  ['numberDigits', 10, [list, '{"data":1234567890}'], [list, '{"data":12345678901}']],
  ['pairs', 2, [list, 'title=a&x=b', urlencoded], [list, 'title=a&x=b&y=c', urlencoded]],
  ['pairs', 2, [`${list}?page=1&perPage=1`], [`${list}?page=1&perPage=1&skipTotal=1`]],
  [
    'parts',
    2,
    [list, `${part('title')}${part('x')}--b--`, multipart],
    [list, `${part('title')}${part('x')}${part('y')}--b--`, multipart],
  ],
  ['names', 2, [`${list}?fields=id,title`], [`${list}?fields=id,title,data`]],
  ['names', 2, [`${list}?expand=kids.kids`], [`${list}?expand=kids.kids,other`]],
])('%s: %i', (name, value, fits, exceeds) => {
  it('accepts what is within it', async () => {
    expect(await limited({ [name]: value })(...fits)).toMatchObject({ status: 200 })
  })

  it('is named where it is exceeded, with what to do', async () => {
    const { status, message, rest } = await limited({ [name]: value })(...exceeds)
    expect(status).toBe(400)
    expect(`${message} ${JSON.stringify(rest)}`).toMatch(
      new RegExp(`\\b${value}\\b.*: (send|use|ask|name|request) `),
    )
  })

  it('accepts everything if it is switched off', async () => {
    expect(await limited({ [name]: Number.POSITIVE_INFINITY })(...exceeds)).toMatchObject({ status: 200 })
  })
})

it('every limit has a default', () => {
  expect(servicesOf(createReference({})).limits).toEqual(defaultLimits)
  expect(servicesOf(createReference({ limits: { parts: 7 } })).limits).toEqual({ ...defaultLimits, parts: 7 })
})

describe('an invalid limit is rejected', () => {
  it.each([0, -1, 1.5, Number.NaN, '5', null])('%j for a limit', (value) => {
    const limits = { parts: value } as unknown as Partial<Limits>
    expect(() => createReference({ limits })).toThrow(
      /"limits\.parts" is .*: expected a whole number above 0/,
    )
  })

  it('an unknown name', () => {
    const limits = { part: 5 } as Partial<Limits>
    expect(() => createReference({ limits })).toThrow(/no option "limits\.part"\. Did you mean "parts"\?/)
  })
})
