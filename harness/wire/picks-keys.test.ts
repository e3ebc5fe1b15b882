import { expect, it } from 'vitest'
import type { Exchange } from '../../exchange/exchange.ts'
import type { OperationId } from '../../spec/vocabulary.ts'
import { picksKeys } from './picks-keys.ts'
import { TrafficLog } from './traffic.ts'
import { createValidator } from './validator.ts'

const batch = (...urls: string[]) =>
  JSON.stringify({ requests: urls.map((url) => ({ method: 'POST', url })) })

it.each<[string, OperationId, string, string | undefined, string, boolean]>([
  ['a list as it is', 'listRecords', '/records?page=1', undefined, 'fields', false],
  ['a list that is cut', 'listRecords', '/records?page=1&fields=id', undefined, 'fields', true],
  ['a list, by its own name', 'listRecords', '/records?only=id', undefined, 'only', true],
  ['a list, by a name that is not its own', 'listRecords', '/records?fields=id', undefined, 'only', false],
  ['a batch as it is', 'batch', '/batch', batch('/records', '/records?expand=a'), 'fields', false],
  ['a batch that is cut', 'batch', '/batch?fields=status', batch('/records'), 'fields', true],
  ['a batch with a cut entry', 'batch', '/batch', batch('/records', '/records?fields=id'), 'fields', true],
  ['a batch that is no list', 'batch', '/batch', '{"requests":[null,{"url":1}]}', 'fields', false],
])('%s', (_, operation, path, body, parameter, expected) => {
  const request = body === undefined ? { path } : { path, body }
  expect(picksKeys(operation, request, parameter)).toBe(expected)
})

it('holds an entry of a batch that nobody cut to all its keys', () => {
  const body = [{ body: { id: 'a', collectionId: 't', collectionName: 'plain' } }]
  const text = JSON.stringify(body)
  const broken = (path: string) => {
    const traffic = new TrafficLog(createValidator())
    const headers = { 'content-type': 'application/json' }
    const message = { headers, body: text, bytes: text.length }
    const exchange: Exchange = {
      number: 1,
      actor: 'guest',
      request: { ...message, method: 'POST', url: `http://h${path}` },
      response: { ...message, status: 200 },
      ms: 1,
    }
    const response = { status: 200, headers, bytes: Buffer.from(text), ms: 1 }
    const picked = picksKeys('batch', { path, body: batch('/records') }, 'fields')
    traffic.judge({ operation: 'batch', response, text, body, exchange, picked, during: undefined })
    return traffic.broken()
  }
  expect(broken('/api/v1/batch')).toContain('batch.entry')
  expect(broken('/api/v1/batch?fields=body')).toEqual([])
})
