import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { openJournal } from '../cleanup/journal.ts'
import { prepareTarget } from './prepare-target.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-others-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

it('a setup sees a run that began after its own, since neither of two concurrent runs is first', async () => {
  const baseUrl = 'http://127.0.0.1:9'
  const file = join(folder, 'target.mjs')
  writeFileSync(
    file,
    `export const target = { baseUrl: '${baseUrl}' }
    export async function setup({ others, run }) {
      globalThis.heard = [run, [...others.alive]]
      globalThis.begin()
      globalThis.heard.push([...others.alive])
      return {}
    }`,
  )
  const world = globalThis as unknown as { begin(): void; heard: unknown }
  world.begin = () => openJournal(baseUrl, 8, 'later', folder)
  const prepared = await prepareTarget({ target: file }, 7, {
    environment: { CONFORMANCE_STATE_DIR: folder },
  })
  expect(world.heard).toEqual([prepared.namespace, [], ['later']])
  await prepared.close()
})
