/** What `init` writes for a server that was not made for the suite, and a run with what it wrote. */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { initCommand } from '../../cli/init.ts'
import { hasInvisible } from '../../exchange/visible.ts'
import { diagnose } from '../../harness/target/diagnose.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'
import {
  type SmallServer,
  type SmallServerOptions,
  startSmallServer,
  superuserToken,
} from '../support/small-server.ts'

const folder = ownStateFolder()
const output = join(folder, 'written.yaml')

let server: SmallServer
let said = ''
afterEach(async () => {
  vi.restoreAllMocks()
  vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', '')
  await server.close()
})

async function init(options: SmallServerOptions, flags: { prefix?: string; readOnly?: boolean } = {}) {
  server = await startSmallServer(options)
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    said += text
    return true
  })
  expect(await initCommand({ baseUrl: server.url, output, force: true, ...flags })).toBe(0)
  return parse(readFileSync(output, 'utf8')) as { tables?: unknown; prefix?: string }
}

describe('init', { timeout: 120_000 }, () => {
  it('writes what was tried, and says which operations are missing', async () => {
    const fields = { slug: 'a-b-c', body: 'Some words' }
    const file = await init({ prefix: '/custom/v9', filled: false, fields }, { prefix: '/custom/v9' })
    expect(file).toMatchObject({
      prefix: '/custom/v9',
      tables: { plain: { name: 'notes', fields: { title: 'body' } }, members: { name: 'users' } },
    })
    expect(said).toContain('guests may sign up in users; an account may view, update and delete itself')
    expect(readFileSync(output, 'utf8')).toMatch(
      /\n# operations: \{ authWithOAuth2: false, requestOtp: false, /,
    )
    expect(server.count()).toBe(0)
  })

  it('writes that an account stands in for guests, and the run signs one up', async () => {
    const { tables } = await init({ closed: 'lists' })
    expect(tables).toMatchObject({ plain: { name: 'notes', as: 'account' }, members: { name: 'users' } })
    const { findings, leftovers } = await runConformance({ target: output, only: ['create.persists'] })
    expect(findings).toMatchObject([{ status: 'pass' }])
    expect([leftovers, server.count()]).toEqual([[], 2])
    // Which creates no account: the table that waits for one is not closed.
    const { sections, smoke } = await diagnose({ target: output })
    expect(JSON.stringify(sections)).not.toContain('closed')
    expect(smoke.tables).toMatchObject({ plain: 'given' })
  })

  it('uses the credentials of the environment, and writes none of them', async () => {
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', superuserToken)
    const { tables } = await init({ closed: 'superuser' })
    expect(tables).toMatchObject({ plain: { name: 'notes', as: 'superuser' } })
    expect(readFileSync(output, 'utf8')).not.toContain(superuserToken)
  })

  it('only reads if that is requested', async () => {
    await init({}, { readOnly: true })
    expect(server.log.filter((line) => !line.startsWith('GET '))).toEqual([])
  })
  it('prints nothing of a server that steers a terminal, or that looks like a line of its own', async () => {
    const hostile = 'title\u001b[2J\u202e\n  next    rm -rf'
    const { tables } = await init({ fields: { [hostile]: 'Some words' }, filled: true })
    expect(tables).toMatchObject({ plain: { name: 'notes', fields: { title: hostile } } })
    expect(said).toContain('(title ← title\\x1b[2J\\u202e\\n  next    rm -rf)')
    expect(hasInvisible(said)).toBe(false)
  })
})
