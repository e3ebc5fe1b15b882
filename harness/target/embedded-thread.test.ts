/** The embedded reference in its own thread, if the caller is not a file, or if the thread does not end properly. */

import { expect, it } from 'vitest'
import { runScript } from '../../test/support/run-script.ts'

const useIt = `
const { startEmbeddedThread } = await load('harness/target/embedded-thread.ts')
const { target, close } = await startEmbeddedThread({ seed: 1 })
const { status } = await fetch(target.baseUrl + '/api/v1/collections/conf_plain/records')
const begin = performance.now()
const closed = await close().then(() => 'closed', ({ message }) => message)
console.log(JSON.stringify({ status, closed, seconds: (performance.now() - begin) / 1_000 }))`

/** A preloaded module that acts only in the thread of the reference, which receives a seed. */
const inThread = (script: string) =>
  `--import=data:text/javascript,${encodeURIComponent(`import { parentPort, workerData } from 'node:worker_threads'
import http from 'node:http'
if (workerData?.seed !== undefined) { ${script} }`)}`

it('starts for a script that is not a file', async () => {
  const { out, err } = await runScript(useIt)
  expect(err).toBe('')
  expect(JSON.parse(out)).toMatchObject({ status: 200, closed: 'closed' })
})

it('says that it ended before it received a request', async () => {
  const { err, code } = await runScript(useIt, inThread('process.exit(0)'))
  expect(err).toContain('Error: the thread of the embedded reference ended before it received a request')
  expect(code).toBe(1)
})

it('says why it could not be closed', async () => {
  const stuck = "http.Server.prototype.close = () => { throw new Error('stuck') }"
  const { out } = await runScript(useIt, inThread(stuck))
  expect(JSON.parse(out)).toMatchObject({ status: 200, closed: 'stuck' })
})

it('is terminated if it does not end by itself', async () => {
  const endless = "parentPort.on('message', () => { for (;;); })"
  const { out } = await runScript(useIt, inThread(endless))
  const { closed, seconds } = JSON.parse(out)
  expect(closed).toBe('closed')
  expect(seconds).toBeGreaterThan(2.9)
})

it('that died makes calls to its hooks fail, until it is closed', async () => {
  const { out } = await runScript(
    `
const { startEmbeddedThread } = await load('harness/target/embedded-thread.ts')
const { askOffered } = await load('harness/target/offer-hooks.ts')
const ask = (address) => askOffered(address, { advance: 0 }, 1_000).catch(({ message }) => message)
const [first, second] = await Promise.all([1, 2].map((seed) => startEmbeddedThread({ seed })))
const dying = new BroadcastChannel('die')
dying.postMessage('now')
// Not forever: the test that waits for this process may have ended.
const end = Date.now() + 20_000
for (const { target } of [first, second])
  while (Date.now() < end && (await fetch(target.baseUrl).then(() => true, () => false)));
dying.close()
await new Promise((resolve) => setTimeout(resolve, 500))
const said = [await ask(first.target.hooks.clock)]
await Promise.all([first.close(), second.close()])
said.push(await ask(second.target.hooks.clock))
console.log(JSON.stringify(said))`,
    inThread("new BroadcastChannel('die').onmessage = () => process.exit(0)"),
  )
  expect(JSON.parse(out)).toEqual(['the hook has stopped responding', 'no response within 1 s'])
})
