/** The embedded reference in its own thread, if the caller is not a file, or if the thread does not end properly. */

import { beforeAll, expect, it } from 'vitest'
import { runScript } from '../../test/support/run-script.ts'

/** What each thread does, by its seed. The others do nothing special. */
const thread = {
  usual: 1,
  exiting: 2,
  stuck: 3,
  endless: 4,
  dying: 5,
  dyingUnasked: 6,
}

/** A preloaded module that acts only in the thread of a reference, which receives a seed. */
const inThread = `import { parentPort, workerData } from 'node:worker_threads'
import http from 'node:http'
switch (workerData?.seed) {
  case ${thread.exiting}: process.exit(0)
  case ${thread.stuck}: http.Server.prototype.close = () => { throw new Error('stuck') }; break
  case ${thread.endless}: parentPort.on('message', () => { for (;;); }); break
  case ${thread.dying}:
  case ${thread.dyingUnasked}: new BroadcastChannel('die').onmessage = () => process.exit(0)
}`

const script = `
const { startEmbeddedThread } = await load('harness/target/embedded-thread.ts')
const { callOffered } = await load('harness/target/offer-hooks.ts')
const messageOf = ({ message }) => message
async function use(seed) {
  const { target, close } = await startEmbeddedThread({ seed })
  const { status } = await fetch(target.baseUrl + '/api/v1/collections/conf_plain/records')
  const begin = performance.now()
  const closed = await close().then(() => 'closed', messageOf)
  return { status, closed, seconds: (performance.now() - begin) / 1_000 }
}
async function useDead() {
  const ask = (address) => callOffered(address, { advance: 0 }, 1_000).catch(messageOf)
  const seeds = [${thread.dying}, ${thread.dyingUnasked}]
  const [first, second] = await Promise.all(seeds.map((seed) => startEmbeddedThread({ seed })))
  const dying = new BroadcastChannel('die')
  dying.postMessage('now')
  // Not forever: the test that waits for this process may have ended.
  const end = Date.now() + 20_000
  for (const { target } of [first, second])
    while (Date.now() < end && (await fetch(target.baseUrl).then(() => true, () => false)))
      await new Promise((resolve) => setTimeout(resolve, 50))
  dying.close()
  await new Promise((resolve) => setTimeout(resolve, 500))
  const said = [await ask(first.target.hooks.clock)]
  await Promise.all([first.close(), second.close()])
  said.push(await ask(second.target.hooks.clock))
  return said
}
const [usual, exiting, stuck, endless, dead] = await Promise.all([
  use(${thread.usual}),
  use(${thread.exiting}).catch(messageOf),
  use(${thread.stuck}),
  use(${thread.endless}),
  useDead(),
])
console.log(JSON.stringify({ usual, exiting, stuck, endless, dead }))`

interface Use {
  status: number
  closed: string
  seconds: number
}

/** Of one process, which loads the sources once for all. */
let seen: { usual: Use; exiting: string; stuck: Use; endless: Use; dead: string[] }
beforeAll(async () => {
  const { out, err } = await runScript(
    script,
    `--import=data:text/javascript,${encodeURIComponent(inThread)}`,
  )
  expect(err).toBe('')
  seen = JSON.parse(out)
})

it('the thread starts for a script that is not a file', () => {
  expect(seen.usual).toMatchObject({ status: 200, closed: 'closed' })
})

it('an error says that the thread ended before it received a request', () => {
  expect(seen.exiting).toBe('the thread of the embedded reference ended before it received a request')
})

it('an error says why the thread could not be closed', () => {
  expect(seen.stuck).toMatchObject({ status: 200, closed: 'stuck' })
})

it('the thread is terminated if it does not end on its own', () => {
  expect(seen.endless).toMatchObject({ status: 200, closed: 'closed' })
  expect(seen.endless.seconds).toBeGreaterThan(2.9)
})

it('calls to the hooks of a thread that died fail until it is closed', () => {
  expect(seen.dead).toEqual(['the hook has stopped responding', 'no response within 1 s'])
})
