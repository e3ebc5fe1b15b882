/** A server with one table that rejects every order: what its checks say. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { tableDefinitions } from '../../spec/tables.ts'
import { startFronted } from '../support/fronted-reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

it.each(['list.sort-across-pages', 'list.sort-keeps-set'])(
  '%s says that the order is rejected',
  async (id) => {
    const tables = tableDefinitions().filter(({ name }) => name === 'conf_plain')
    const server = await startFronted({ tables }, async (request, next) =>
      new URL(request.url).searchParams.has('sort')
        ? Response.json({ message: 'no such order' }, { status: 422 })
        : next(request),
    )
    onTestFinished(() => server.close())
    const target = join(folder, 'rejected.json')
    const binding = { 'list.sort': 'sort', 'sort.ascending': '{field}', 'sort.descending': '-{field}' }
    writeFileSync(
      target,
      JSON.stringify({ baseUrl: server.url, tables: { plain: { name: 'conf_plain' } }, binding }),
    )
    const { findings } = await runConformance({ target, only: [id], seed: 7 })
    expect(findings).toMatchObject([
      {
        status: 'untestable',
        message: expect.stringContaining('an order by "title" of conf_plain is rejected with 422'),
      },
    ])
  },
)
