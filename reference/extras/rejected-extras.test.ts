/** Why files and realtime requests are rejected: in the log, and not in the response. */

import { describe, expect, it } from 'vitest'
import { RejectingWorld, rejectingTables } from '../../test/support/rejecting-world.ts'

describe('outside the document is rejected', () => {
  async function withScan() {
    const world = new RejectingWorld()
    const { id, scan } = await world.reference.records.create('letters', {
      scan: new File(['Dear reader'], 'letter.txt'),
    })
    return { world, path: `files/letters/${id}`, id, scan: String(scan) }
  }

  it('a file that does not exist', async () => {
    const { world, path, id, scan } = await withScan()
    expect(await world.rejected(`${path}/letter.txt`)).toEqual([
      404,
      [expect.stringContaining(`letters/${id} has no file "letter.txt".`)],
    ])
    expect(world.reference.requests.last()?.reason?.[0]).toContain(`It has: ${scan}.`)
    expect(await world.rejected('files/members/member000000001/x.png')).toEqual([
      404,
      ['members/member000000001 has no file.'],
    ])
  })

  it('a range that a file does not have, and a version that it is not', async () => {
    const { world, path, scan } = await withScan()
    const address = `/api/${path}/${scan}?token=${await world.token('file')}`
    const rejected = async (headers: Record<string, string>) => {
      const { status } = await world.reference.fetch(address, { headers })
      return [status, world.reference.requests.last()?.reason]
    }
    expect(await rejected({ range: 'bytes=50-' })).toEqual([
      416,
      ['The file has 11 bytes, and none of Range "bytes=50-" is among them.'],
    ])
    expect(await rejected({ range: 'items=0-1' })).toEqual([
      416,
      ['Range "items=0-1" cannot be read: use "bytes=FIRST-LAST", "bytes=FIRST-" or "bytes=-LENGTH".'],
    ])
    expect(await rejected({ 'if-match': '"other"' })).toEqual([
      412,
      ['The file does not satisfy If-Match or If-Unmodified-Since.'],
    ])
  })

  it('a protected file, by the view rule', async () => {
    const { world, path, scan } = await withScan()
    const rule = [
      'viewRule of "letters" is false for a guest: @request.auth.id != ""',
      '  false: @request.auth.id != "" (@request.auth.id is missing)',
    ]
    const isProtected = 'Field "scan" of "letters" is protected.'
    expect(await world.rejected(`${path}/${scan}`)).toEqual([
      404,
      [`${isProtected} The URL has no file token, in "token".`, ...rule],
    ])
    const session = await world.token()
    expect(await world.rejected(`${path}/${scan}?token=${session}`)).toEqual([
      404,
      [`${isProtected} The token is for a session, not for protected files.`, ...rule],
    ])
    expect((await world.rejected(`${path}/${scan}`, { token: session }))[1]).toEqual([
      `${isProtected} The URL has no file token, in "token". The Authorization header does not count here.`,
      ...rule,
    ])
    expect((await world.rejected(`${path}/${scan}?token=${await world.token('file')}`))[0]).toBe(200)
  })

  it('a protected file, to another record than the rule allows, or to a superuser from elsewhere', async () => {
    const hidden = {
      name: 'hidden',
      viewRule: 'owner = @request.auth.id',
      fields: [
        { name: 'owner', type: 'text' },
        { name: 'scan', type: 'file', protected: true },
      ],
    }
    const world = new RejectingWorld({ tables: [...rejectingTables, hidden], superuserIPs: ['10.0.0.1'] })
    const { id, scan } = await world.reference.records.create('hidden', {
      owner: 'bob',
      scan: new File(['x'], 'x.txt'),
    })
    expect(await world.rejected(`files/hidden/${id}/${scan}?token=${await world.token('file')}`)).toEqual([
      404,
      [
        'Field "scan" of "hidden" is protected.',
        'viewRule of "hidden" is false for members/member000000001: owner = @request.auth.id',
        '  false: owner = @request.auth.id (owner is "bob", @request.auth.id is "member000000001")',
      ],
    ])
    const token = await world.reference.tokenFor('_superusers', 'root00000000001', { kind: 'file' })
    const [, reason] = await world.rejected(`files/hidden/${id}/${scan}?token=${token}`)
    expect(reason?.slice(0, 2)).toEqual([
      'Field "scan" of "hidden" is protected. The address of the client, 127.0.0.1, is not in superuserIPs: superusers may use 10.0.0.1.',
      'viewRule of "hidden" is false for a guest: owner = @request.auth.id',
    ])
  })

  it('a protected file, when its rule takes too many steps', async () => {
    const costly = {
      name: 'costly',
      viewRule: 'title = "a" || title = "b" || title = "c"',
      fields: [
        { name: 'title', type: 'text' },
        { name: 'scan', type: 'file', protected: true },
      ],
    }
    const world = new RejectingWorld({ tables: [...rejectingTables, costly], limits: { stepsAtOnce: 2 } })
    const { id, scan } = await world.reference.records.create('costly', {
      title: 'c',
      scan: new File(['x'], 'x.txt'),
    })
    const response = await world.send(`files/costly/${id}/${scan}`)
    expect(response.status).toBe(400)
    expect(await response.text()).toContain('One record takes more than 2 steps')
  })

  it('a file token for a guest', async () => {
    expect(await new RejectingWorld().rejected('files/token', { method: 'POST' })).toEqual([
      401,
      ['The request has no Authorization header.'],
    ])
    const world = new RejectingWorld()
    const [key] = world.reference.apiKeys.initial
    expect(await world.rejected('files/token', { method: 'POST', token: String(key?.key) })).toEqual([
      401,
      ['The caller is the API key "reader".'],
    ])
  })

  it('a subscription without a stream, and one that will receive nothing is noted', async () => {
    const world = new RejectingWorld()
    const [status, reason] = await world.rejected('realtime', { body: { clientId: 'x', subscriptions: [] } })
    expect([status, reason?.[0]]).toEqual([
      404,
      expect.stringContaining('No stream with this clientId is open; 0 are.'),
    ])
    expect((await world.rejected('realtime', { body: { clientId: 'x', subscriptions: 5 } }))[1]).toEqual([
      '"clientId" of the body must be a string, and "subscriptions" an array of strings.',
    ])
    const stream = await world.send('realtime')
    const reader = stream.body?.getReader()
    const first = new TextDecoder().decode((await reader?.read())?.value)
    const clientId = /"clientId":"(\w+)"/.exec(first)?.[1]
    const subscribe = (subscriptions: string[], ip?: string) =>
      world.rejected('realtime', { body: { clientId, subscriptions }, ...(ip && { ip }) })
    expect(await subscribe(['letters/*', '@oauth2'])).toEqual([204, undefined])
    expect(await subscribe(['letterz/*', 'totals/*?options=%7B%7D'])).toEqual([
      204,
      [
        'letterz/*: There is no table "letterz". Did you mean "letters"? Available: closed, letters, members, staff, stamps.',
        'totals/*: "totals" is a view, and views are not served: docs/extras.md, "What there is not".',
      ],
    ])
    const query = (options: object) => `?options=${encodeURIComponent(JSON.stringify({ query: options }))}`
    expect(
      await subscribe(['closed/*', 'letters/nope', `letters/*${query({ filter: 'scam != ""' })}`]),
    ).toEqual([
      204,
      [
        'closed/*: listRule of "closed" is null: only superusers pass. The caller is a guest.',
        'letters/nope: Table "letters" has no record "nope".',
        'letters/*: Unknown name "scam". Did you mean "scan"?',
      ],
    ])
    // A client may set a thousand, and to read the filter of one takes milliseconds.
    const many = Array.from({ length: 60 }, () => 'closed/*')
    expect((await subscribe(many))[1]).toHaveLength(50)
    expect(await subscribe(['letters/*'], '10.0.0.1')).toEqual([
      400,
      ['The connection was opened from 127.0.0.1, and this request comes from 10.0.0.1.'],
    ])
    await reader?.cancel()
  })
})
