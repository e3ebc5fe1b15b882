/** What ends a run early: the other order fails, or the user stops it. */

import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { runScript } from '../../test/support/run-script.ts'

// Two threads load half of the suites.
it.runIf(inFull)('an order without a target stops the other', async () => {
  const { out, err } = await runScript(`
    const { runOrders } = await load('harness/engine/engine.ts')
    const { startEmbedded } = await load('harness/target/embedded.ts')
    const { loadSuites } = await load('harness/suites.ts')
    const checks = (await loadSuites()).map(({ id, suite }) => ({ id, suite }))
    const { target, close } = await startEmbedded({ seed: 3 })
    const order = { target, checks, session: { seed: 3 }, bail: false }
    const lost = { ...order, target: { ...target, baseUrl: 'http://127.0.0.1:9' } }
    let findings = 0
    const events = { smoke() {}, finding: () => void (findings += 1) }
    const ended = await runOrders([lost, order], events).then(() => 'done', ({ fact }) => fact)
    console.log(JSON.stringify({ ended, findings }))
    await close()`)
  expect(err).toBe('')
  const { ended, findings } = JSON.parse(out)
  expect(ended).toMatch(/is not reachable/)
  // Of more than four hundred.
  expect(findings).toBeLessThan(200)
})

it('alone handles Ctrl-C, from the start', async () => {
  const { out, err } = await runScript(`
    const { runOrders } = await load('harness/engine/engine.ts')
    const { startEmbedded } = await load('harness/target/embedded.ts')
    const { target, close } = await startEmbedded({ seed: 3 })
    const checks = [{ id: 'record.id', suite: 'document/records/fields' }]
    const seen = { SIGINT: 0, SIGTERM: 0 }
    const look = () => { for (const name in seen) seen[name] = Math.max(seen[name], process.listenerCount(name)) }
    const looking = setInterval(look, 1)
    await runOrders([{ target, checks, session: { seed: 3 }, bail: false }], { smoke() {}, finding() {} })
    clearInterval(looking)
    console.log(JSON.stringify(seen))
    await close()`)
  expect(err).toBe('')
  expect(JSON.parse(out)).toEqual({ SIGINT: 0, SIGTERM: 0 })
})

it('sends no request if its signal is aborted before it begins', async () => {
  const { out, err } = await runScript(`
    const { runConformance } = await load('harness/run.ts')
    const { requests } = await runConformance({ only: ['list'], signal: AbortSignal.abort() })
    console.log(requests)`)
  expect(err).toBe('')
  expect(out.trim()).toBe('0')
})

it('is stopped while the smoke check waits for its turn', async () => {
  const { out, err } = await runScript(`
    const { createServer } = await import('node:http')
    const { runOrders } = await load('harness/engine/engine.ts')
    const stop = new AbortController()
    const server = createServer((request, response) => {
      setTimeout(() => stop.abort(), 200)
      response.writeHead(429, { 'retry-after': '25' }).end('{}')
    }).listen(0, '127.0.0.1', async () => {
      const target = {
        baseUrl: 'http://127.0.0.1:' + server.address().port,
        binding: { prefix: '/api/v1' }, capabilities: {}, tables: {}, credentials: {},
      }
      const order = { target, checks: [{ id: 'record.id', suite: 'document/records/fields' }], session: { seed: 3 }, bail: false }
      const begin = performance.now()
      const result = await runOrders([order], { smoke() {}, finding() {} }, stop.signal)
      console.log(JSON.stringify({ ...result, seconds: (performance.now() - begin) / 1_000 }))
      process.exit()
    })`)
  expect(err).toBe('')
  const { stopped, errors, findings, seconds } = JSON.parse(out)
  expect([stopped, errors, findings]).toEqual([true, [], []])
  // Without the stop, it would wait three times 25 seconds.
  expect(seconds).toBeLessThan(60)
})

it('ends its workers, which delete what they created, before it rethrows the error of a listener', async () => {
  const { out, err } = await runScript(`
    const { runOrders } = await load('harness/engine/engine.ts')
    const { startEmbedded } = await load('harness/target/embedded.ts')
    const { target, close } = await startEmbedded({ seed: 3 })
    const checks = [{ id: 'record.id', suite: 'document/records/fields' }, { id: 'create.persists', suite: 'document/records/effects' }]
    const count = async () => {
      const headers = { authorization: target.credentials.superuser.token }
      const url = target.baseUrl + '/api/v1/collections/' + target.tables.plain.name + '/records?perPage=1'
      return (await (await fetch(url, { headers })).json()).totalItems
    }
    const before = await count()
    const events = { smoke() {}, finding() { throw new Error('of the listener') } }
    const order = { target, checks, session: { seed: 3 }, bail: false }
    const ended = await runOrders([order], events).then(() => 'done', ({ message }) => message)
    console.log(JSON.stringify({ ended, more: (await count()) - before }))
    await close()`)
  expect(err).toBe('')
  expect(JSON.parse(out)).toEqual({ ended: 'of the listener', more: 0 })
})
