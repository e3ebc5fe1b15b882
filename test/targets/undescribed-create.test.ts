/** A server that creates a record for methods and paths that the document does not name. */

import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { expect, it } from 'vitest'
import { runConformance } from '../../harness/run.ts'
import { createReference } from '../../reference/reference.ts'

it('the run deletes what a POST to a record has created', async () => {
  const open = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }
  const reference = createReference({
    tables: [{ name: 'notes', ...open, fields: [{ name: 'title', type: 'text' }] }],
    records: { notes: [{ title: 'not the run’s' }] },
  })
  let lenient = 0
  const fetch = async (request: Request) => {
    const records = /^(.*\/collections\/notes\/records)\/[^/?]+$/.exec(request.url)?.[1]
    if (request.method !== 'POST' || records === undefined) return reference.fetch(request)
    lenient += 1
    return reference.fetch(new Request(records, request))
  }
  const server = serve({ fetch, port: 0, hostname: '127.0.0.1', overrideGlobalObjects: false })
  try {
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const baseUrl = `http://127.0.0.1:${port}`
    const { leftovers } = await runConformance({ baseUrl, only: ['robust.methods'], seed: 3 })
    expect(lenient).toBeGreaterThan(0)
    expect(leftovers).toEqual([])
    expect((await reference.records.list('notes')).map(({ title }) => title)).toEqual(['not the run’s'])
  } finally {
    server.close()
    await reference.close()
  }
})
