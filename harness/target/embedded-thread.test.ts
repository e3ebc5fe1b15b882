/** The embedded reference in its own thread, if the caller is not a file, or if the thread does not end properly. */

import { BroadcastChannel } from 'node:worker_threads'
import { expect, it, onTestFinished, vi } from 'vitest'
import { builtFrom } from '../../test/support/built-thread.ts'
import { runScript } from '../../test/support/run-script.ts'
import { type EmbeddedThread, startEmbeddedThread } from './embedded-thread.ts'
import { callOffered } from './offer-hooks.ts'

/** What a thread does before it loads the reference, by its seed. Others do nothing special. */
const exiting = 2
const stuck = 3
const endless = 4
const dying = 5
const doFirst = `import http from 'node:http'
import { parentPort, workerData } from 'node:worker_threads'
switch (workerData.seed) {
  case ${exiting}: process.exit(0)
  case ${stuck}: http.Server.prototype.close = () => { throw new Error('stuck') }; break
  case ${endless}: parentPort.on('message', () => { for (;;); }); break
  case ${dying}: new BroadcastChannel('die').onmessage = () => process.exit(0)
}`

vi.mock('../support/start-thread.ts', async (original) => {
  const { startThread } = await original<typeof import('../support/start-thread.ts')>()
  return {
    startThread(module: URL, data: unknown) {
      const script = `${doFirst}\nawait import('${builtFrom(module).href}')`
      // The end makes it a script, which needs no compiler.
      return startThread(new URL(`data:text/javascript,${encodeURIComponent(script)}//.js`), data)
    },
  }
})

/** @returns the status of a request, how closing ended, and how many seconds it took */
async function use(seed: number) {
  const { target, close } = await startEmbeddedThread({ seed })
  const { status } = await fetch(`${target.baseUrl}/api/v1/collections/conf_plain/records`)
  const begin = performance.now()
  const closed = await close().then(() => 'closed', messageOf)
  return { status, closed, seconds: (performance.now() - begin) / 1_000 }
}

const messageOf = ({ message }: Error) => message

it('the thread starts for a script that is not a file', async () => {
  const { out, err } = await runScript(`
    const { startEmbeddedThread } = await load('harness/target/embedded-thread.ts')
    const { target, close } = await startEmbeddedThread({ seed: 1 })
    const { status } = await fetch(target.baseUrl + '/api/v1/collections/conf_plain/records')
    await close()
    console.log(status)`)
  expect({ out, err }).toEqual({ out: '200\n', err: '' })
})

it('an error says that the thread ended before it received a request', async () => {
  const failed = await use(exiting).catch(messageOf)
  expect(failed).toBe('the thread of the embedded reference ended before it received a request')
})

it('an error says why the thread could not be closed', async () => {
  expect(await use(stuck)).toMatchObject({ status: 200, closed: 'stuck' })
})

it('the thread is terminated if it does not end on its own', async () => {
  const { status, closed, seconds } = await use(endless)
  expect({ status, closed }).toEqual({ status: 200, closed: 'closed' })
  expect(seconds).toBeGreaterThan(2.9)
})

it('calls to the hooks of a thread that died fail until it is closed', async () => {
  const threads = await Promise.all([1, 2].map(() => startEmbeddedThread({ seed: dying })))
  const [first, second] = threads as [EmbeddedThread, EmbeddedThread]
  const ended = threads.map(({ thread }) => new Promise((resolve) => thread.once('exit', resolve)))
  const orders = new BroadcastChannel('die')
  onTestFinished(() => orders.close())
  orders.postMessage('now')
  await Promise.all(ended)
  const call = ({ target }: EmbeddedThread) =>
    callOffered(target.hooks?.clock ?? '', { advance: 0 }, 1_000).catch(messageOf)
  expect(await call(first)).toBe('the hook has stopped responding')
  await Promise.all(threads.map(({ close }) => close()))
  expect(await call(second)).toBe('no response within 1 s')
})
