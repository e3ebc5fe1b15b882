import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'

/** Works for a second after the first signal, and says what ended it. */
const program = `
  import { untilInterrupted } from ${JSON.stringify(new URL('./stop-signal.ts', import.meta.url).href)}
  const { signal } = untilInterrupted(() => console.log('stopping'))
  signal.addEventListener('abort', () => setTimeout(() => { console.log('cleaned up'); process.exit(3) }, 1000))
  setInterval(() => {}, 1000)
  console.log('working')
`

async function ended(...pauses: number[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', program])
  let output = ''
  child.stdout.on('data', (text) => {
    output += text
  })
  await once(child.stdout, 'data')
  child.kill('SIGTERM')
  for (const pause of pauses) {
    await delay(pause)
    child.kill('SIGTERM')
  }
  const [code] = await once(child, 'close')
  return { code, last: output.trim().split('\n').at(-1) }
}

it('ends with the work that a signal requests', async () => {
  expect(await ended()).toEqual({ code: 3, last: 'cleaned up' })
})

it('takes a signal that arrives twice as one: timeout(1) sends it to the process and to its group', async () => {
  expect(await ended(0)).toEqual({ code: 3, last: 'cleaned up' })
})

it('ends immediately when someone is impatient', async () => {
  expect(await ended(600)).toEqual({ code: 143, last: 'stopping' })
})
