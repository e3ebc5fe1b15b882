import { describe, expect, it } from 'vitest'
import { operationEntry } from '../operation-entries.ts'
import { sentParameters } from './sent-parameters.ts'

const json = { 'content-type': 'application/json' }
type SentRequest = Parameters<typeof sentParameters>[1]
const nothing: SentRequest = { url: '/', headers: {} }
const names = (operation: Parameters<typeof operationEntry>[0], sent: Partial<SentRequest>) =>
  sentParameters(operationEntry(operation), { ...nothing, ...sent })

describe('sentParameters', () => {
  it('names what is described, in the order of the description, and counts the rest', () => {
    expect(names('listRecords', { url: '/?perPage=1&page=2&secret=x&page=3' })).toEqual([
      'query.page',
      'query.perPage',
      'query.*',
    ])
    const body = JSON.stringify({ password: 'hunter2', identity: 'a', hunter2: 1 })
    expect(names('authWithPassword', { headers: { ...json, Authorization: 't' }, body })).toEqual([
      'header.authorization',
      'content.application/json',
      'body.identity',
      'body.password',
      'body.*',
    ])
  })

  it('shows no name and no value that the description does not have', () => {
    const url = '/?hunter2=1&__proto__=2&constructor=3'
    const body = '{"hunter2":{"inner":1},"__proto__":{},"constructor":1}'
    for (const headers of [json, { 'content-type': 'text/hunter2', 'x-hunter2': '1' }])
      expect(names('requestOtp', { url, headers, body }).join()).not.toMatch(/hunter2|proto|constructor/)
    expect(names('requestOtp', { url, headers: json, body })).toEqual([
      'content.application/json',
      'query.*',
      'body.*',
    ])
  })

  it('reads keys in lists of objects', () => {
    const body = JSON.stringify({
      requests: [{ url: '/' }, null, 7, { method: 'POST', secret: 1 }],
      other: [],
    })
    expect(names('batch', { headers: json, body })).toEqual([
      'content.application/json',
      'body.requests',
      'body.requests[].method',
      'body.requests[].url',
      'body.*',
    ])
  })

  it('reads lists in lists, as deep as a body can have them', () => {
    const body = `{"other":${'['.repeat(30_000)}${']'.repeat(30_000)}}`
    expect(names('batch', { headers: json, body })).toEqual(['content.application/json', 'body.*'])
  })

  it.each<[string, unknown, Record<string, string>, string]>([
    ['bytes of JSON', Buffer.from('{"email":"a"}'), json, 'application/json'],
    ['a value that becomes JSON', { email: 'a' }, json, 'application/json'],
    [
      'a form in the query’s way',
      'email=a',
      { 'Content-Type': 'application/x-www-form-urlencoded; charset=utf-8' },
      'application/x-www-form-urlencoded',
    ],
    [
      'a form of parts',
      Buffer.from('--b\r\nContent-Disposition: form-data; name="email"\r\n\r\nname="secret"\r\n--b--\r\n'),
      { 'content-type': 'multipart/form-data; boundary=b' },
      'multipart/form-data',
    ],
  ])('reads %s', (_, body, headers, type) => {
    expect(names('requestOtp', { headers, body })).toEqual(
      operationEntry('requestOtp').parameters.filter((name) =>
        [`content.${type}`, 'body.email'].includes(name),
      ),
    )
  })

  it('reads a form that is not sent yet', () => {
    const form = new FormData()
    form.append('email', 'a')
    expect(names('requestOtp', { body: form })).toEqual(['body.email'])
  })

  it('reads no large body, and none that is broken', () => {
    const large = JSON.stringify({ email: 'x'.repeat(70_000) })
    for (const body of [large, Buffer.from(large), '{"email":', '[1]', 'null'])
      expect(names('requestOtp', { headers: json, body })).toEqual(['content.application/json'])
    expect(names('requestOtp', { headers: json, body: '' })).toEqual([])
    expect(names('requestOtp', { headers: undefined, body: '{"email":"a"}' })).toEqual(['body.email'])
  })

  it('translates the names of a server', () => {
    const theirs = new Map([
      ['query.limit', 'query.perPage'],
      ['body.mail', 'body.email'],
      ['header.x-second', 'body.mfaId'],
    ])
    const list = sentParameters(operationEntry('listRecords'), { ...nothing, url: '/?limit=1' }, theirs)
    expect(list).toEqual(['query.perPage'])
    const sent = { ...nothing, headers: { 'X-Second': 'secret' }, body: '{"password":"x"}' }
    expect(sentParameters(operationEntry('authWithOtp'), sent, theirs)).toEqual([
      'body.password',
      'body.mfaId',
    ])
  })
})
