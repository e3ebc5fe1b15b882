/**
 * Writers, readers, snapshots and restores at the same time: no one ever sees half a batch, and a snapshot never
 * changes.
 */

import { expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { createReference, type Reference, type ReferenceSnapshot } from '../reference.ts'

const base = 'http://reference/api/v1'
const records = '/api/v1/collections/notes/records'
const tables = [
  {
    name: 'notes',
    listRule: '',
    createRule: '',
    deleteRule: '',
    fields: [
      { name: 'batch', type: 'text' as const },
      { name: 'slug', type: 'text' as const },
    ],
    indexes: ["CREATE UNIQUE INDEX `idx_slug` ON `notes` (`slug`) WHERE `slug` != ''"],
  },
]

type Step = 'batch' | 'conflict' | 'create' | 'read' | 'snapshot' | 'restore' | 'pause'
const step = fc.constantFrom<Step>('batch', 'conflict', 'create', 'read', 'snapshot', 'restore', 'pause')

interface Note {
  id: string
  batch: string
}

it('batches stay whole, and snapshots stay as they were', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 40 }), async (steps) => {
      const thrown: unknown[] = []
      const reference = createReference({ tables, seed: 1, log: (error) => thrown.push(error) })
      const post = async (url: string, body: unknown) => {
        const headers = { 'content-type': 'application/json' }
        const init = { method: 'POST', headers, body: JSON.stringify(body) }
        return (await reference.fetch(url, init)).status
      }
      const list = async (of = reference) => {
        const response = await of.fetch(`${base}/collections/notes/records?perPage=500`)
        return ((await response.json()) as { items: Note[] }).items
      }
      const expectWhole = (items: readonly Note[]) => {
        const sizes = new Map<string, number>()
        for (const { batch } of items) if (batch !== '') sizes.set(batch, (sizes.get(batch) ?? 0) + 1)
        expect([...sizes.values()].filter((size) => size !== 3)).toEqual([])
      }
      const kept: { snapshot: ReferenceSnapshot; fork: Reference }[] = []
      const statuses: Promise<number>[] = []
      const reads: Promise<void>[] = []
      const batch = (at: number, conflict: boolean) =>
        post(`${base}/batch`, {
          requests: [0, 1, 2].map((n) => ({
            method: 'POST',
            url: records,
            body: { batch: `b${at}`, slug: conflict && n > 0 ? 'same' : `${at}-${n}` },
          })),
        })
      for (const [at, kind] of steps.entries()) {
        if (kind === 'batch' || kind === 'conflict') statuses.push(batch(at, kind === 'conflict'))
        else if (kind === 'create')
          statuses.push(post(`${base}/collections/notes/records`, { slug: `s${at}` }))
        else if (kind === 'read') reads.push(list().then(expectWhole))
        else if (kind === 'snapshot') kept.push({ snapshot: reference.snapshot(), fork: reference.fork() })
        else if (kind === 'pause') await new Promise((resolve) => setImmediate(resolve))
        else
          reference.restore(
            (kept[at % Math.max(1, kept.length)] ?? { snapshot: reference.snapshot() }).snapshot,
          )
      }
      const seen = await Promise.all(statuses)
      await Promise.all(reads)
      expect(seen.filter((status) => ![200, 400].includes(status))).toEqual([])
      expect(thrown).toEqual([])
      expectWhole(await list())
      for (const { snapshot, fork } of kept) {
        reference.restore(snapshot)
        expect(await list()).toEqual(await list(fork))
        await fork.close()
      }
      await reference.close()
    }),
    { numRuns: 60 },
  )
})

it('writes during a restore are rejected and write nothing', async () => {
  const reference = createReference({ tables, log: (error) => expect.fail(String(error)) })
  const overtaken = async (send: () => Promise<Response>) => {
    let responded = false
    const response = send().finally(() => {
      responded = true
    })
    // A transaction begins a few turns after its request: one of these restores falls into it.
    for (let turn = 0; turn < 1000 && !responded; turn++) {
      await Promise.resolve()
      reference.reset()
    }
    return response
  }
  const init = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"slug":"late"}' }
  const rejected = await overtaken(() => reference.fetch(records, init))
  expect([rejected.status, ((await rejected.json()) as { message: string }).message]).toEqual([
    400,
    'The state was restored while the request was in progress: it wrote nothing.',
  ])
  expect(reference.records.count('notes')).toBe(0)
})

it('no email is sent if a restore happens first', async () => {
  const members = { name: 'members', type: 'auth' as const, otp: { enabled: true, duration: 180, length: 6 } }
  const reference = createReference({
    tables: [members],
    records: { members: [{ email: 'ann@example.com', password: 'password1' }] },
    log: (error) => expect.fail(String(error)),
  })
  for (const action of ['request-otp', 'request-verification', 'request-password-reset']) {
    await reference.fetch(`${base}/collections/members/${action}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{"email":"ann@example.com"}',
    })
    reference.reset()
  }
  await reference.close()
  expect(reference.mail.outbox).toEqual([])
})
