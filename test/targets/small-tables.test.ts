/** What is found in a table that shows nothing of itself but one text field. */

import { afterEach, expect, it } from 'vitest'
import { runConformance } from '../support/run-here.ts'
import { type SmallServer, type SmallServerOptions, startSmallServer } from '../support/small-server.ts'

let server: SmallServer
afterEach(() => server.close())

async function statusesOf(options: SmallServerOptions, ...only: string[]) {
  server = await startSmallServer(options)
  const { findings } = await runConformance({ baseUrl: server.url, only, seed: 1 })
  return findings.map(({ status, message }) => [status, message])
}

const update = 'update.changes-only-sent'

it('an update that also changes another field is found', async () => {
  const sets: SmallServerOptions['sets'] = (_, isNew) => (isNew ? {} : { body: 'touched' })
  expect(await statusesOf({ sets }, update)).toEqual([
    ['fail', expect.stringMatching(/^unexpected value for body after an update that sends no field/)],
  ])
})

it('a field that the server makes of others is its own affair', async () => {
  const sets: SmallServerOptions['sets'] = ({ title }) => ({
    slug: `of-${title}`,
    rating: String(title).length,
  })
  expect(await statusesOf({ sets }, update)).toEqual([['pass', expect.anything()]])
})

it('pages and totals are not judged where a filter has no effect, whatever else is in the run', async () => {
  const only = ['list.total-pages', 'list.total-items', 'list.paginated', 'list.page-beyond-end']
  const found = await statusesOf({ lists: 'unfiltered' }, ...only)
  // Not blocked: the server may have a form of its own, which no one has named.
  expect(new Set(found.map(([status]) => status))).toEqual(new Set(['untestable']))
})
