/** The least that a server in Node can do: records in a map, without routes, rules or checks. */

import { createServer } from 'node:http'
import { firstRecords, shownRecord } from './toy-records.mjs'

const records = new Map(
  firstRecords(Number(process.argv[2])).map((record) => [record.id, shownRecord(record)]),
)
const firstPage = [...records.values()].slice(0, 30)

function send(response, body) {
  const text = JSON.stringify(body)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
  response.end(text)
}

const server = createServer((request, response) => {
  if (request.method === 'POST') {
    const pieces = []
    request.on('data', (piece) => pieces.push(piece))
    request.on('end', () => {
      const sent = JSON.parse(Buffer.concat(pieces).toString())
      const record = shownRecord({ id: `created${records.size}`, ...sent })
      records.set(record.id, record)
      send(response, record)
    })
    return
  }
  const { pathname } = new URL(request.url, 'http://127.0.0.1')
  const id = /records\/(\w+)$/.exec(pathname)?.[1]
  if (id !== undefined) return send(response, records.get(id))
  send(response, { page: 1, perPage: 30, totalItems: records.size, items: firstPage })
})
server.listen(0, '127.0.0.1', () => console.log(`toy at http://127.0.0.1:${server.address().port}`))
