import { describe, expect, it } from 'vitest'
import { standardBinding } from '../../spec/gaps.ts'
import type { WholeExchange } from '../../validate/coverage/whole-exchange.ts'
import { RunCoverage } from './run-coverage.ts'

const binding = standardBinding()
const list: WholeExchange = {
  operation: 'listRecords',
  table: 'notes',
  request: { url: '/?page=1', headers: {} },
  response: { status: 200, body: {} },
}
const signIn = (table: string, token: string): WholeExchange => ({
  ...list,
  operation: 'authWithPassword',
  table,
  request: { url: '/', headers: {} },
  response: { status: 200, body: { token } },
})
const as = (token: string): WholeExchange => ({
  ...list,
  request: { ...list.request, headers: { authorization: token } },
})
const row = (actor: string, ...requirements: string[]) => ({
  status: 200,
  actor,
  parameters: actor === 'guest' ? ['query.page'] : ['query.page', 'header.authorization'],
  requirements,
})

describe('RunCoverage', () => {
  it('counts what checks send, and learns from what they do not', () => {
    const coverage = new RunCoverage({ binding, credentials: {} })
    coverage.record(signIn('_superusers', 's'), undefined)
    coverage.record(list, undefined)
    expect(coverage.rows()).toEqual({})
    coverage.record(as('s'), 'a.b')
    expect(coverage.rows()).toEqual({ listRecords: [row('superuser', 'a.b')] })
  })

  it('knows the credentials and keys of a target', () => {
    const credentials = {
      superuser: { token: 's', signIn: { table: 'admins', identity: '', password: '' } },
      member: { token: 'm' },
      key: { token: 'k', scope: { tables: [], actions: [] } },
    }
    const coverage = new RunCoverage({ binding, credentials })
    coverage.knowApiKey('made')
    coverage.record(signIn('admins', 't'), undefined)
    for (const token of ['s', 't', 'm', 'k', 'made', 'other']) coverage.record(as(token), 'a.b')
    expect(coverage.rows().listRecords?.map(({ actor }) => actor)).toEqual([
      'user',
      'superuser',
      'apiKey',
      'unknown',
    ])
  })

  it('counts what checks share for each of them, whichever came first', () => {
    const coverage = new RunCoverage({ binding, credentials: {} })
    const outer = coverage.share()
    const inner = coverage.share()
    coverage.record(list, 'a.first')
    inner.close()
    coverage.record(as('x'), 'a.first')
    outer.close()
    coverage.record({ ...list, response: { status: 404 } }, 'a.first')
    coverage.recall(inner, 'b.second')
    coverage.recall(outer, 'c.third')
    const around = coverage.share()
    coverage.recall(inner, 'd.fourth')
    around.close()
    expect([...around.rows]).toEqual([...inner.rows])
    expect(coverage.rows().listRecords).toEqual([
      row('guest', 'a.first', 'b.second', 'c.third', 'd.fourth'),
      row('unknown', 'a.first', 'c.third'),
      { ...row('guest', 'a.first'), status: 404 },
    ])
  })

  it('speaks the names of the description, whatever a target calls things', () => {
    const coverage = new RunCoverage({
      binding: { ...binding, 'list.page': 'p', 'list.filter': '', 'mfa.id': 'header:X-Second' },
      credentials: {},
    })
    coverage.record({ ...list, request: { url: '/?p=1&page=1&a=b' } }, 'a.b')
    coverage.record(
      {
        ...list,
        operation: 'authWithOtp',
        request: { url: '/', headers: { 'x-second': 'id' }, body: '{"password":"x"}' },
      },
      'a.b',
    )
    const { listRecords, authWithOtp } = coverage.rows()
    expect(listRecords?.[0]?.parameters).toEqual(['query.page', 'query.*'])
    expect(authWithOtp?.[0]?.parameters).toEqual(['body.password', 'body.mfaId'])
  })
})
