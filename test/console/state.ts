/** The whole state, exported and imported in the console. */

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { inConsole } from './in-console.ts'

inConsole('state', (world) => {
  it('exports the state that --data reads, and imports it after asking', async () => {
    const { page, serving } = world
    await world.open('')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Export the state' }).click(),
    ])
    expect(download.suggestedFilename()).toBe('state.json')
    const exported = await readFile(await download.path(), 'utf8')
    await serving.reference.records.delete('posts', 'post1')
    const input = page.getByLabel('Import a state')
    const file = (text: string) => ({
      name: 'state.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    })
    await input.setInputFiles(file(exported))
    await world.button('Cancel').click()
    expect(serving.reference.records.count('posts')).toBe(34)
    await input.setInputFiles(file(exported))
    await world.button('Import').click()
    await page.getByText('Imported 2 tables from state.json.').waitFor()
    expect(serving.reference.records.count('posts')).toBe(35)
    const signIn = { identity: 'ann@example.com', password: 'secret1234' }
    expect((await world.api('users/auth-with-password', signIn)).status).toBe(200)
    await input.setInputFiles(file('{"posts": '))
    await world.button('Import').click()
    await page.getByText('The body is not JSON.').waitFor()
    world.expectRefusals()
    expect(serving.reference.records.count('posts')).toBe(35)
  })
})
