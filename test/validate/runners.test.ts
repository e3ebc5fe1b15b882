/**
 * Matchers of Vitest, the plugin of chai, and the assertion. test/validate/real-runners.test.ts has Jest and node:test.
 */

import supertest from 'supertest'
import { afterAll, beforeAll, chai, describe, expect, it } from 'vitest'
import { createReference } from '../../reference/reference.ts'
import { assertConforms, conformChai, conformMatchers } from '../../validate/validate.ts'
import { page, plainExchange } from './exchanges.ts'
import { type AnsweringServer, finding, path, startAnsweringServer } from './responding-server.ts'

let at: AnsweringServer
let base = ''

beforeAll(async () => {
  at = await startAnsweringServer()
  base = at.base
})
afterAll(() => at.close())

describe('matchers', () => {
  expect.extend(conformMatchers({ profile: 'standard' }))

  it('pass and fail', async () => {
    await expect(await fetch(`${base}${path}`)).toConform()
    await expect(await fetch(`${base}${path}?bad`)).not.toConform()
    await expect(await supertest(at.server).get(path)).toSatisfyApiSpec()
    await expect(async () => expect(await fetch(`${base}${path}?bad`)).toConform()).rejects.toThrow(
      /list\.total-pages {2}MUST {2}\(stated, section 2\.4/,
    )
    expect(() => expect(plainExchange(page({ page: 0 }))).toConform()).toThrow(/\$\.page/)
  })
})

describe('chai', () => {
  chai.use(conformChai())
  interface Conforming {
    conform(): Promise<void>
    satisfyApiSpec: unknown
  }
  const expectChai = chai.expect as unknown as (value: unknown) => { to: Conforming }

  it('pass and fail', async () => {
    await expectChai(await fetch(`${base}${path}`)).to.conform()
    await expect(async () => expectChai(await fetch(`${base}${path}?bad`)).to.conform()).rejects.toThrow(
      finding,
    )
    void expectChai(await supertest(at.server).get(path)).to.satisfyApiSpec
    const broken = await supertest(at.server).get(`${path}?bad`)
    expect(() => expectChai(broken).to.satisfyApiSpec).toThrow(finding)
    const response = await fetch(`${base}${path}`)
    expect(() => expectChai(response).to.satisfyApiSpec).toThrow(/to\.conform\(\)/)
  })
})

it('an assertion', async () => {
  const conforms = assertConforms({ profile: 'standard' })
  await expect(fetch(`${base}${path}`).then(conforms)).resolves.toBeUndefined()
  await expect(fetch(`${base}${path}?bad`).then(conforms)).rejects.toMatchObject({
    name: 'ConformanceError',
    code: 'ERR_ASSERTION',
    actual: ['list.total-pages $.totalPages'],
  })
  expect(() => conforms(plainExchange(page(), { url: path }), 'createRecord')).toThrow()
})

describe('every assertion', () => {
  const outside = { status: 200, headers: {}, body: '<html>' }
  const url = '/collections/notes/records'
  const message =
    'The request to /collections/notes/records is not an operation of the interface under /api/v1: nothing was validated.'

  it('throws for a response outside the interface, also if it is negated', () => {
    expect(() => expect(outside).toConform({ method: 'GET', url })).toThrow(message)
    expect(() => expect(outside).not.toConform({ method: 'GET', url })).toThrow(message)
    expect(() => assertConforms()(outside, { method: 'GET', url })).toThrow(message)
    const { to } = chai.expect(outside) as unknown as { to: { conform(known: object): void } }
    expect(() => to.conform({ method: 'GET', url })).toThrow(message)
  })

  it('knows the request of a response of the reference', async () => {
    const reference = createReference({ tables: [{ name: 'notes', createRule: '', listRule: '' }] })
    const records = '/api/v1/collections/notes/records'
    const headers = { 'content-type': 'application/json' }
    await expect(await reference.fetch(records, { method: 'POST', headers, body: '{}' })).toConform()
    await expect(await reference.fork().fetch(new Request(`http://reference${records}`))).toConform()
    const { fetch } = await reference.as('guest')
    await expect(await fetch(records)).toConform()
    reference.fault({ status: 200, body: { page: 0 } })
    await expect(await reference.fetch(records)).not.toConform()
  })
})
