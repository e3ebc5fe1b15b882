/**
 * Hands responses of the real axios, got and supertest to the validator: the shapes that our tests only imitate.
 *
 * PEERS=/folder node scripts/bench/clients.mjs
 */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { pathToFileURL } from 'node:url'
import { gzipSync } from 'node:zlib'
import { dist, list, path, requirePeer } from './peers.mjs'

const { createValidator } = await import(dist('validate/bundle.js'))
const axios = requirePeer('axios')
const { default: got } = await import(pathToFileURL(requirePeer.resolve('got')).href)
const supertest = requirePeer('supertest')
const { text } = await import('node:stream/consumers')

const good = JSON.stringify(list(3, { perPage: 30 }))
const bad = JSON.stringify(list(3, { totalPages: 7 }))
const server = createServer((request, response) => {
  const body = request.url.includes('bad') ? bad : good
  const zip = request.url.includes('zip')
  response.writeHead(
    request.method === 'DELETE' ? 204 : 200,
    request.method === 'DELETE'
      ? {}
      : { 'content-type': 'application/json', ...(zip && { 'content-encoding': 'gzip' }) },
  )
  response.end(request.method === 'DELETE' ? undefined : zip ? gzipSync(body) : body)
}).listen(0, '127.0.0.1')
await once(server, 'listening')
const base = `http://127.0.0.1:${server.address().port}`
const validator = createValidator()
const clients = {
  'axios, parsed': (query) => axios.get(`${base}${path}`, { params: query }),
  'axios, text': (query) =>
    axios.get(`${base}${path}`, { params: query, responseType: 'text', transformResponse: (data) => data }),
  'axios, stream': (query) => axios.get(`${base}${path}`, { params: query, responseType: 'stream' }),
  got: (query) => got(`${base}${path}`, { searchParams: query }),
  'got, parsed': (query) => got(`${base}${path}`, { searchParams: query, responseType: 'json' }),
  supertest: (query) => supertest(server).get(path).query(query),
}
for (const [name, call] of Object.entries(clients)) {
  for (const query of [{}, { zip: '1' }]) {
    const response = await call(query)
    const result = await validator.validate(response)
    assert.deepEqual(
      [result.ok, result.operation, result.findings.map(String)],
      [true, 'listRecords', []],
      name,
    )
    if (name === 'axios, stream') assert.equal(await text(response.data), good)
    const broken = await validator.validate(await call({ ...query, bad: '1' }))
    assert.deepEqual(
      broken.findings.map(({ requirement }) => requirement),
      ['list.total-pages'],
      name,
    )
  }
  console.log(`${name}: judged rightly, packed and not`)
}
const deletions = {
  axios: axios.delete(`${base}${path}/abc`),
  got: got.delete(`${base}${path}/abc`),
  supertest: supertest(server).delete(`${path}/abc`),
}
for (const [name, response] of Object.entries(deletions)) {
  const { ok, operation, findings } = await validator.validate(await response)
  assert.deepEqual([ok, operation, findings.map(String)], [true, 'deleteRecord', []], name)
  console.log(`${name}: a deletion without body`)
}
server.closeAllConnections()
server.close()
