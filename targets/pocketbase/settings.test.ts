/** A server's settings are the same after the runs as before, and secrets that it does not show are not overwritten. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Admin } from '../../harness/target/admin.ts'
import { restoreSettings, takeSettings } from './settings.ts'

type Settings = Record<string, Record<string, unknown>>

const original: Settings = {
  smtp: {
    enabled: true,
    host: 'mail.example.com',
    port: 587,
    username: 'app',
    password: 'only the server knows',
    authMethod: 'LOGIN',
    tls: true,
    localName: 'app.example.com',
  },
  batch: { enabled: false, maxRequests: 3, timeout: 3, maxBodySize: 0 },
  rateLimits: { enabled: true },
}
let settings: Settings
let folder: string

/** Updates the settings key by key, and never shows the password, as the living family does. */
const admin: Admin = {
  async call(method, _path, body) {
    if (method === 'GET') {
      const { password: _hidden, ...smtp } = settings.smtp ?? {}
      return structuredClone({ ...settings, smtp })
    }
    for (const [group, values] of Object.entries(body as Settings))
      settings[group] = { ...settings[group], ...values }
    return undefined
  },
}

beforeEach(async () => {
  settings = structuredClone(original)
  folder = await mkdtemp(join(tmpdir(), 'settings-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const inputOf = (run: string, alive: string[], port: number) => ({
  run,
  others: { alive, dead: [] },
  sharedFile: join(folder, 'shared.json'),
  smtp: { host: '127.0.0.1', port, onMail: () => {} },
})

it('keeps the password of the mail server, which no response shows', async () => {
  const input = inputOf('one', [], 2525)
  await takeSettings(admin, input as never)
  expect(settings.smtp).toMatchObject({ host: '127.0.0.1', port: 2525, tls: false })
  await restoreSettings(admin, input as never)
  expect(settings).toEqual(original)
})

it('keeps it through two runs at the same time', async () => {
  const [one, two] = [inputOf('one', [], 2525), inputOf('two', ['one'], 2526)]
  await takeSettings(admin, one as never)
  await takeSettings(admin, two as never)
  await restoreSettings(admin, one as never)
  expect(settings.smtp).toMatchObject({ host: '127.0.0.1', port: 2526 })
  await restoreSettings(admin, two as never)
  expect(settings).toEqual(original)
})
