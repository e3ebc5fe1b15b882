import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { initCommand } from './init.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-init-'))
const file = join(folder, 'there.yaml')
writeFileSync(file, '')

let asked = 0
const server = createServer((_, response) => {
  asked += 1
  response.writeHead(404).end()
})
let baseUrl = ''

beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

it.each<[string, string, boolean, string, RegExp]>([
  ['a folder', folder, false, 'the path is a folder', /use a file in it/],
  ['a folder, by force', folder, true, 'the path is a folder', /use a file in it/],
  ['a file that exists', file, false, 'the file already exists', /--force/],
  [
    'a folder that does not exist',
    join(folder, 'nowhere', 'x.yaml'),
    false,
    'the target file cannot be written (ENOENT)',
    /existing, writable folder/,
  ],
])('rejects %s for its output before it sends a request', async (_name, output, force, fact, next) => {
  await expect(initCommand({ baseUrl, output, force })).rejects.toMatchObject({
    fact,
    place: `--output ${output}`,
    next: expect.stringMatching(next),
  })
  expect(asked).toBe(0)
})

it.each([
  ['127.0.0.1:8090', /is not an http or https URL/],
  ['http://u:secret@127.0.0.1:9', /contains credentials/],
])('rejects the address %s, and shows no secret of it', async (address, fact) => {
  const rejection = initCommand({ baseUrl: address, output: '-' })
  await expect(rejection).rejects.toThrow(fact)
  await expect(rejection).rejects.not.toThrow(/secret/)
})

it('advises on nothing but its own options where no server responds', async () => {
  await expect(initCommand({ baseUrl: 'http://127.0.0.1:1', output: '-' })).rejects.toMatchObject({
    fact: expect.stringMatching(/^the target is not reachable/),
    next: expect.stringMatching(
      /^start the server, or correct --base-url(?: \(something listens on port \d+\))?$/,
    ),
  })
})
