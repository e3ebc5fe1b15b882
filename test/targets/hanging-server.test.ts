/** A server that stops responding while a run is stopped, as a frozen container does. */

import { createServer, request as forward } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it, onTestFinished } from 'vitest'
import { runConformance } from '../../harness/run.ts'
import { createReference } from '../../reference/reference.ts'
import { tableDefinitions } from '../../spec/tables.ts'

/** What `docker stop` and most supervisors wait before they kill. */
const longest = 10_000

it('a stopped run ends within ten seconds, and says what may be left', async () => {
  const reference = createReference({ tables: tableDefinitions(), passwordCost: 4 })
  onTestFinished(() => reference.close())
  const { url } = await reference.listen()
  const { port } = new URL(url)
  let creates = 0
  const stop = new AbortController()
  let stoppedAt = 0
  const front = createServer((request, response) => {
    if (request.method === 'POST' && request.url?.endsWith('/records') === true) creates += 1
    if (creates > 30 && !stop.signal.aborted) {
      stoppedAt = performance.now()
      stop.abort()
    }
    if (stop.signal.aborted) return
    const { method, url: path, headers } = request
    const sent = forward({ host: '127.0.0.1', port, path, method, headers }, (received) => {
      response.writeHead(received.statusCode ?? 500, received.headers)
      received.pipe(response)
    })
    request.pipe(sent)
  }).listen(0, '127.0.0.1')
  onTestFinished(() => {
    front.closeAllConnections()
    front.close()
  })
  await new Promise((resolve) => front.once('listening', resolve))
  const report = await runConformance({
    baseUrl: `http://127.0.0.1:${(front.address() as AddressInfo).port}`,
    only: ['list.*', 'record.*', 'create.*'],
    seed: 7,
    signal: stop.signal,
  })
  expect(stoppedAt).toBeGreaterThan(0)
  expect(performance.now() - stoppedAt).toBeLessThan(longest)
  // The server was lost, too.
  expect(report.verdict.exitCode).toBe(2)
  expect(report.leftovers.length).toBeGreaterThan(0)
  expect(report.noJournal).toBeUndefined()
}, 120_000)
