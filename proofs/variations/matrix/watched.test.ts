import { describe, expect, it } from 'vitest'
import { createReference, type Reference } from '../../../reference/reference.ts'
import { tableDefinitions } from '../../../spec/tables.ts'
import { json, on, rewriteBody, tamper } from '../../faults/combinators/combinators.ts'
import { rewritesMail } from '../../faults/combinators/emails.ts'
import { fieldRejection } from '../../faults/combinators/field.ts'
import type { Variation } from '../variation.ts'
import { watched } from './watched.ts'

type Send = (path: string, body?: unknown) => Promise<unknown>

/** Whether a variation is met by what `use` sends. */
async function isMet(make: Variation['make'], use: (send: Send, reference: Reference) => Promise<unknown>) {
  await using reference = createReference({ tables: tableDefinitions(), seed: 1, log: () => {} })
  let times = 0
  const middleware = watched(
    make,
    () => times++,
  )({
    reference,
    prefix: reference.prefix,
    asSuperuser: (request) => reference.fetch(request),
  })
  const send: Send = async (path, body) => {
    const headers = { 'content-type': 'application/json' }
    const request = new Request(
      `http://test.invalid${reference.prefix}/collections/${path}`,
      body === undefined ? {} : { method: 'POST', headers, body: JSON.stringify(body) },
    )
    const response = await middleware(request, (each) => reference.fetch(each))
    const text = await response.text()
    return text === '' ? undefined : JSON.parse(text)
  }
  await use(send, reference)
  expect(times).toBeLessThanOrEqual(1)
  return times === 1
}

const plain = 'conf_plain/records'
const create = (send: Send) => send(plain, { title: 'a' })

describe('a variation', () => {
  it('is met by a response that it changes', async () => {
    expect(
      await isMet(
        tamper('createRecord', (body) => ({ ...body, own: 1 })),
        create,
      ),
    ).toBe(true)
  })

  it('is met by a response instead of the server’s', async () => {
    expect(
      await isMet(
        on('createRecord', async () => fieldRejection(403)),
        create,
      ),
    ).toBe(true)
  })

  it('is met by a request that it rewrites, if the response differs', async () => {
    expect(
      await isMet(
        rewriteBody('createRecord', (body) => ({ ...body, title: 'b' })),
        create,
      ),
    ).toBe(true)
  })

  it('is not met by a request that it rewrites to the same effect', async () => {
    expect(
      await isMet(
        rewriteBody('createRecord', (body) => ({ ...body, unknown: 1 })),
        create,
      ),
    ).toBe(false)
  })

  it('is not met by what it leaves as it is, alone or concurrently', async () => {
    const nothing: Variation['make'] = () => (request, next) => next(request)
    const use = async (send: Send) => {
      await create(send)
      await Promise.all([create(send), create(send), send(plain)])
      await send(plain)
    }
    expect(await isMet(nothing, use)).toBe(false)
  })

  it('is met by its own response to one of two concurrent requests', async () => {
    const one = on('listRecords', async () => json(200, { items: [] }))
    expect(await isMet(one, (send) => Promise.all([create(send), send(plain)]))).toBe(true)
  })

  it('is met by an email that it changes or adds, and not by one that it passes on', async () => {
    const use = async (send: Send, { mail }: Reference) => {
      const email = 'ann@example.com'
      await send('conf_members/records', {
        email,
        password: 'correct horse',
        passwordConfirm: 'correct horse',
      })
      await send('conf_members/request-verification', { email })
      await mail.waitFor({ to: email })
    }
    expect(
      await isMet(
        rewritesMail((mail) => ({ ...mail, subject: 'Other' })),
        use,
      ),
    ).toBe(true)
    expect(
      await isMet(
        rewritesMail((mail) => [{ ...mail, to: 'bob@example.com' }, mail]),
        use,
      ),
    ).toBe(true)
    expect(
      await isMet(
        rewritesMail((mail) => mail),
        use,
      ),
    ).toBe(false)
  })
})
