/** Guests may not use the table, and only verified accounts sign in: the account that stands in is verified by email. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { serveHooks } from '../../harness/target/hook-server.ts'
import { createReference } from '../../reference/reference.ts'
import { ownStateFolder } from '../support/own-state-folder.ts'
import { runConformance } from '../support/run-here.ts'

const folder = ownStateFolder()

const rule = '@request.auth.id != ""'
const notes = {
  ...{ name: 'notes', listRule: rule, viewRule: rule, createRule: rule, updateRule: rule, deleteRule: rule },
  fields: [{ name: 'title', type: 'text' as const }],
}
const users = {
  ...{ name: 'users', type: 'auth' as const, createRule: '', authRule: 'verified = true' },
  ...{ viewRule: 'id = @request.auth.id', deleteRule: 'id = @request.auth.id' },
}

it.each([
  ['is used', true, 'pass'],
  ['needs emails', false, 'blocked'],
])('it %s', async (_, hasEmails, status) => {
  const reference = createReference({ tables: [users, notes] })
  const { url } = await reference.listen()
  const served = await serveHooks({
    mailbox: ({ to, after }) => {
      const all = reference.mail.outbox.map((email, at) => ({ ...email, number: at + 1 }))
      const mails = all.filter((email) => email.to === to && email.number > Number(after))
      return { count: all.length, mails }
    },
  })
  onTestFinished(async () => {
    await served.close()
    await reference.close()
  })
  const { mailbox } = served.hooks
  const target = join(folder, 'verified.json')
  const tables = { plain: { name: 'notes', as: 'account' }, members: { name: 'users' } }
  writeFileSync(target, JSON.stringify({ baseUrl: url, tables, hooks: hasEmails ? { mailbox } : {} }))
  const { findings } = await runConformance({ target, only: ['view.record'], seed: 7 })
  expect(findings).toMatchObject([{ status }])
})
