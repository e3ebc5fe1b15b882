/** The events of realtime in the console. */

import { expect, it } from 'vitest'
import { inConsole } from './in-console.ts'

inConsole('realtime', (world) => {
  it('shows changes as they happen, and none of its own requests', async () => {
    const { page, serving } = world
    const { records, realtime, requests } = serving.reference
    await world.open('#/realtime')
    await page.getByText('Connected, subscribed to').waitFor()
    await world.page.getByText('No events yet').waitFor()
    await records.create('posts', { id: 'new', title: 'New', userId: 'ann' })
    await page
      .getByRole('listitem')
      .filter({ hasText: 'create' })
      .getByRole('link', { name: 'posts/new' })
      .waitFor()
    await records.update('users', 'ann', { name: 'Anna' })
    await records.delete('posts', 'new')
    await page.getByRole('listitem').filter({ hasText: 'delete' }).getByText('posts/new').waitFor()
    const events = page.locator('.change')
    expect(await events.count()).toBe(3)
    await page.getByLabel('Table').selectOption('users')
    expect(await events.count()).toBe(1)
    await events.getByText('users/ann').waitFor()
    await page.getByText('Record', { exact: true }).click()
    await page.getByText('"name": "Anna"').waitFor()
    expect([realtime.connections, requests.length]).toEqual([1, 0])
    await page.getByRole('link', { name: 'Tables' }).click()
    await world.heading('Tables')
    await expect.poll(() => realtime.connections, { timeout: 10_000 }).toBe(0)
  })
})
