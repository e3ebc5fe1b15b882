/** Why views, required records and what exceeds a limit are rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { lettersPath, RejectingWorld } from '../../test/support/rejecting-world.ts'

describe('more is rejected', () => {
  it('a view that is not served', async () => {
    expect(await new RejectingWorld().rejected('collections/totals/records')).toEqual([
      404,
      ['"totals" is a view, and views are not served: docs/extras.md, "What there is not".'],
    ])
    const fork = new RejectingWorld().reference.fork()
    await fork.fetch('/api/collections/totals/records')
    expect(fork.requests.last()?.reason?.[0]).toContain('is a view')
  })

  it('a record that others require', async () => {
    const world = new RejectingWorld()
    await world.reference.records.create('letters', { id: 'letter000000001' })
    await world.reference.records.create('stamps', { id: 'stamp0000000001', letter: 'letter000000001' })
    const token = await world.reference.tokenFor('_superusers', 'root00000000001')
    expect(await world.rejected(`${lettersPath}/letter000000001`, { method: 'DELETE', token })).toEqual([
      400,
      [
        'stamps/stamp0000000001 requires letters/letter000000001 in its field "letter", without cascadeDelete: delete that record first.',
      ],
    ])
  })

  it('a request that is one too many', async () => {
    const rules = [{ label: 'letters:list', duration: 10, maxRequests: 1 }]
    const world = new RejectingWorld({ rateLimits: { enabled: true, rules } })
    await world.send(lettersPath)
    expect(await world.rejected(lettersPath)).toEqual([
      429,
      ['The rate limit "letters:list" allows 1 request in 10 s from one address, here 127.0.0.1.'],
    ])
  })

  it('a batch', async () => {
    const entry = { method: 'POST', url: '/api/collections/letters/records', body: {} }
    const send = async (world: RejectingWorld, requests: unknown) =>
      world.rejected('batch', { body: { requests } })
    expect(await send(new RejectingWorld({ batch: { enabled: false } }), [entry])).toEqual([
      403,
      [
        expect.stringMatching(
          /^The settings of batches reject all of them: enabled is false, maxRequests is \d+\.$/,
        ),
      ],
    ])
    const world = new RejectingWorld({ batch: { enabled: true } })
    expect(await send(world, 'x')).toEqual([400, ['"requests" of the body must be an array.']])
    expect(await send(world, [entry, { ...entry, url: 5 }])).toEqual([
      400,
      ['requests[1].url must be a string.'],
    ])
    expect(await send(world, [{ ...entry, url: '/collections/letters/records' }])).toEqual([
      400,
      [
        'Entry 0 of the batch was rejected.',
        'A batch has no entry "POST /collections/letters/records": it takes POST and PUT /api/collections/TABLE/records, PATCH and DELETE /api/collections/TABLE/records/ID.',
      ],
    ])
    expect(await send(world, [{ ...entry, url: `${entry.url}?a=%zz` }])).toEqual([
      400,
      [
        'Entry 0 of the batch was rejected.',
        'The query of its URL has malformed percent-encoding, or a ";".',
      ],
    ])
  })
})
