/**
 * The program of a process that is nothing but `reference.listen()`: what an application's tests have. Its argument is
 * a file with the state to begin with. A second listener takes the fuzzer's own commands.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { createReference } from '../../../reference/reference.ts'
import { worldSeed, worldTime } from '../world/world.ts'

const [file = ''] = process.argv.slice(2)
const reference = createReference({
  seed: worldSeed,
  clock: worldTime,
  passwordCost: 4,
  throttle: { resendSeconds: 0 },
  oauth2: { pretend: ['pretend'] },
})
await reference.importState(JSON.parse(readFileSync(file, 'utf8')))
const beginning = reference.snapshot()
const { port } = await reference.listen()

const control = createServer((request, response) => {
  request.resume()
  if (request.url === '/_conformance/reset') reference.restore(beginning)
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ mails: reference.mail.outbox.slice(-1) }))
}).listen(0, '127.0.0.1', () => {
  const { port: own } = control.address() as { port: number }
  console.log(`control at http://127.0.0.1:${own} reference at http://127.0.0.1:${port}`)
})
