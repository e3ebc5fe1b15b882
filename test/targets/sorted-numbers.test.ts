/** The order of a table with all field types is judged where no table has a relation. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tableDefinitions } from '../../spec/tables.ts'
import { copyOf, startFronted } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

it.each([
  ['as strings', true, 'fail'],
  ['as numbers', false, 'pass'],
])('without a relation, a server that orders numbers %s', async (_, asStrings, status) => {
  const tables = tableDefinitions()
    .filter(({ name }) => ['conf_plain', 'conf_everything'].includes(name))
    .map((table) => ({ ...table, fields: table.fields?.filter(({ type }) => type !== 'relation') ?? [] }))
  const server = await startFronted({ tables }, async (request, next) => {
    const url = new URL(request.url)
    const sort = url.searchParams.get('sort') ?? ''
    if (!asStrings || !sort.endsWith('number')) return next(request)
    url.searchParams.delete('sort')
    const body = (await (await next(await copyOf(request, { url }))).json()) as {
      items: { number: number }[]
    }
    const items = body.items.toSorted((one, other) => (String(one.number) < String(other.number) ? -1 : 1))
    return Response.json({ ...body, items: sort.startsWith('-') ? items.reverse() : items })
  })
  onTestFinished(() => server.close())
  const target = join(folder, 'sorted.json')
  const roles = { plain: { name: 'conf_plain' }, everything: { name: 'conf_everything' } }
  writeFileSync(target, JSON.stringify({ baseUrl: server.url, tables: roles }))
  const { findings } = await runConformance({ target, only: ['list.sort-orders'], seed: 7 })
  expect(findings).toMatchObject([{ status }])
})
