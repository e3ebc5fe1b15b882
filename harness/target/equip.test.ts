/** What is created for a run is undone when the run ends, and when it cannot begin. */

import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { listening } from '../../test/support/listening.ts'
import { ConfigurationError } from '../errors.ts'
import { prepareTarget } from './prepare-target.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-equip-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const state = join(folder, 'state')

/** The events on the user's server, in order. */
const world = globalThis as unknown as { seen: unknown[] }
beforeEach(() => {
  rmSync(state, { recursive: true, force: true })
  mkdirSync(state, { recursive: true })
  world.seen = []
})

let files = 0
/** Prepares a target with this module; the tests check its `seen`. */
async function prepare(code: string, target: object = {}) {
  const file = join(folder, `target-${files++}.mjs`)
  const given = JSON.stringify({ baseUrl: 'http://127.0.0.1:9', ...target })
  writeFileSync(file, `const { seen } = globalThis\nexport const target = ${given}\n${code}`)
  return prepareTarget({ target: file }, 7, { environment: { CONFORMANCE_STATE_DIR: state } })
}

const failure = (code: string, target?: object): Promise<unknown> =>
  prepare(code, target).then(
    () => 'it began',
    (error: unknown) => error,
  )

const undoes = 'export const teardown = (input, result) => { seen.push([input.run, result]) }'

describe('a run that cannot begin', () => {
  it.each([
    ['of an unknown key', { tabels: {} }, 'unknown key "tabels"'],
    ['of a table without a name', { tables: { plain: {} } }, 'tables.plain'],
    ['of a hook that is no function and no text', { hooks: { clock: 5 } }, 'hooks.clock'],
    ['of an unknown profile', { profile: 'standart' }, 'unknown profile "standart"'],
  ])('is undone if the result of its setup is rejected because %s', async (_, result, reason) => {
    const before = await listening()
    const error = await failure(
      `export const setup = () => (${JSON.stringify(result)})\n${undoes}
      export const hooks = { restart() {} }`,
    )
    expect(error).toBeInstanceOf(ConfigurationError)
    expect((error as Error).message).toContain(reason)
    expect(world.seen).toEqual([[expect.any(String), result]])
    expect(readdirSync(state)).toEqual([])
    expect(await listening()).toBe(before)
  })

  it('stops the hooks that its setup returned', async () => {
    const before = await listening()
    const error = await failure(
      `export const setup = () => ({ hooks: { clock() {} }, profile: 'standart' })\n${undoes}`,
    )
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(world.seen).toHaveLength(1)
    expect(await listening()).toBe(before)
  })

  it('reports first why, then what could not be undone', async () => {
    const error = await failure(
      `export const setup = () => ({ tabels: {} })
      export function teardown() { throw new Error('the server keeps its tables') }`,
    )
    expect(error).toBeInstanceOf(ConfigurationError)
    expect(error).toMatchObject({
      fact: 'unknown key "tabels"; in addition, not everything could be undone: the server keeps its tables',
      place: expect.stringMatching(/\.mjs, setup$/),
      next: 'did you mean "tables"?',
    })
    expect(readdirSync(state)).toEqual([])
  })

  it('leaves a failing setup to undo its own part', async () => {
    const error = await failure(`export function setup() { throw new Error('no rights') }\n${undoes}`)
    expect((error as Error).message).toContain('the setup failed: no rights')
    expect(world.seen).toEqual([])
    expect(readdirSync(state)).toEqual([])
  })

  it('leaves no journal and no service behind if a port is taken', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const before = await listening()
    const { port } = taken.address() as AddressInfo
    const error = await failure('', { services: { smtp: { port }, oidc: {} } })
    expect((error as Error).message).toContain('the smtp service cannot listen (EADDRINUSE)')
    expect(readdirSync(state)).toEqual([])
    expect(await listening()).toBe(before)
    await new Promise((resolve) => taken.close(resolve))
  })
})

describe('a run that ends', () => {
  it('undoes its setup before it stops services and journal', async () => {
    const before = await listening()
    const { close } = await prepare(
      `import { readdirSync } from 'node:fs'
      export const setup = () => ({ hooks: { clock() {} } })
      export function teardown({ environment }) {
        const sockets = process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
        seen.push([sockets, readdirSync(environment.CONFORMANCE_STATE_DIR).length])
      }`,
      { services: { smtp: {} } },
    )
    await close()
    expect(world.seen).toEqual([[before + 3, 1]])
    expect(await listening()).toBe(before)
    expect(readdirSync(state)).toEqual([])
  })

  it('stops services and journal if its teardown fails, and says why it failed', async () => {
    const before = await listening()
    const { close } = await prepare(
      `export const setup = () => ({ hooks: { clock() {} } })
      export async function teardown() { throw new Error('the server keeps its tables') }`,
      { services: { smtp: {} } },
    )
    await expect(close()).rejects.toThrow(/^the server keeps its tables$/)
    expect(await listening()).toBe(before)
    expect(readdirSync(state)).toEqual([])
  })
})

it('says why there is no journal, and begins all the same', async () => {
  writeFileSync(join(folder, 'no-folder'), '')
  const environment = { CONFORMANCE_STATE_DIR: join(folder, 'no-folder') }
  const prepared = await prepareTarget({ baseUrl: 'http://127.0.0.1:9' }, 7, { environment })
  await prepared.close()
  expect(prepared.noJournal).toMatch(
    /^no journal could be written \(EEXIST: .*no-folder'\), so no later run knows .*: set CONFORMANCE_STATE_DIR to a writable folder$/,
  )
  expect(prepared.notes).toEqual([prepared.noJournal])
  const reading = await prepareTarget({ baseUrl: 'http://127.0.0.1:9', readOnly: true }, 7, { environment })
  await reading.close()
  expect(reading.noJournal).toBeUndefined()
})
