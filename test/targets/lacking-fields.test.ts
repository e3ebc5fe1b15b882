/** Tables of the tester that lack fields of their role, and servers that hide them. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tableDefinitions } from '../../spec/tables.ts'
import { startFronted } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

interface Server {
  /** Fields of the table that are removed. @default none */
  lacks?: readonly string[]
  /** Fields that no response shows. @default none */
  hides?: readonly string[]
  /** Whether a field that no table has is rejected. @default false */
  strict?: boolean
  /** How many characters of a text field are shown. @default all */
  shows?: number
}

/** @param name of the table with the role `everything` */
async function findingOf(
  name: string,
  fields: Record<string, string>,
  { lacks = [], hides = [], strict, shows }: Server,
  only = 'field-types.all',
) {
  const tables = tableDefinitions().flatMap((table) => {
    if (table.name === 'conf_related') return [table]
    const kept = table.fields?.filter((field) => !lacks.includes(field.name))
    return table.name === 'conf_everything' ? [{ ...table, name, fields: kept }] : []
  })
  const server = await startFronted({ tables }, async (request, next) => {
    const body = request.method === 'PATCH' ? await request.clone().text() : ''
    if (strict === true && body.includes('no_such_field'))
      return Response.json({ error: 'unknown field' }, { status: 400 })
    const response = await next(request)
    if (!response.ok || response.status === 204) return response
    const shown = (key: string, value: unknown) =>
      hides.includes(key) ? undefined : key === 'text' ? String(value).slice(0, shows) : value
    return new Response(JSON.stringify(await response.json(), shown), response)
  })
  onTestFinished(() => server.close())
  const target = join(folder, 'lacking.json')
  const everything = { name, ...(Object.keys(fields).length > 0 && { fields }) }
  writeFileSync(
    target,
    JSON.stringify({ baseUrl: server.url, tables: { related: { name: 'conf_related' }, everything } }),
  )
  const { findings } = await runConformance({ target, only: [only], seed: 7, runs: 0.2 })
  return findings[0]
}

it('names the fields that a table of the tester lacks, and the line that maps them', async () => {
  const finding = await findingOf('things', {}, { lacks: ['geo', 'url', 'stamp'] })
  expect(finding).toMatchObject({
    status: 'untestable',
    message: 'records of things show no url, geo, stamp, and the target file maps no fields to them',
    hint: expect.stringContaining(
      '"fields": { "url": "<its field>", "geo": "<its field>", "stamp": "<its field>" }',
    ),
  })
})

it.each<[string, string, Record<string, string>, Server, string]>([
  ['accepts a field and hides it', 'things', {}, { hides: ['geo'], strict: true }, 'geo field'],
  [
    'hides fields that the target file maps',
    'things',
    { geo: 'geo', url: 'url' },
    { hides: ['geo', 'url'] },
    'url, geo fields',
  ],
  ['hides a field of a table made by the definition', 'conf_everything', {}, { hides: ['geo'] }, 'geo field'],
])('fails a server that %s', async (_, name, fields, server, what) => {
  expect(await findingOf(name, fields, server)).toMatchObject({
    status: 'fail',
    message: `the record does not show its ${what}`,
  })
})

it.each<[string, Server, string, string]>([
  ['cuts a long string', { shows: 4_000 }, 'fail', 'unexpected value for text after an unusual value'],
  ['shows strings whole', {}, 'pass', ''],
])('in a table with one text field, finds whether a server %s', async (_, server, status, message) => {
  const only = 'field-types.keep-values'
  const finding = await findingOf('things', { text: 'text' }, { ...server, lacks: ['editor'] }, only)
  expect(finding).toMatchObject({ status, message: expect.stringContaining(message) })
})
