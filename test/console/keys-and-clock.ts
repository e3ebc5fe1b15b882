/** API keys and the clock in the console. */

import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { inConsole } from './in-console.ts'

inConsole('keys and clock', (world) => {
  it('creates a key, shows it once, and revokes it', async () => {
    await world.open('#/keys')
    await world.button('Create the key').click()
    await world.page
      .getByRole('alert')
      .getByText(/at least one/)
      .waitFor()
    world.expectRefusals()
    await world.page.getByLabel('Name').fill('reader')
    await world.page.getByLabel('posts', { exact: true }).check()
    await world.button('Create the key').click()
    const key = (await world.page.locator('#new-key').textContent()) ?? ''
    expect(key).toMatch(/^rak_/)
    await world.row('reader').getByText('never').waitFor()
    expect((await world.api('users/records', undefined, key)).status).toBe(403)
    expect((await world.api('posts/records', undefined, key)).status).toBe(200)
    await world.page.reload()
    await world.row('reader').waitFor()
    expect(await world.page.content()).not.toContain(key)
    await world.button('Revoke reader').click()
    await world.button('Revoke').click()
    await world.page.getByText('No keys yet').waitFor()
    expect((await world.api('users/records', undefined, key)).status).toBe(200)
  })

  it.runIf(inFull)('moves, stops and resets the clock', async () => {
    await world.open('#/clock')
    await world.page.getByLabel('Moment').fill('2030-01-31T12:00:00Z')
    await world.button('Set the clock').click()
    await world.page.getByText(/2030-01-31 12:0\d:\d\dZ/).waitFor()
    await world.button('1 day').click()
    await world.page.getByText(/2030-02-01 12:0\d:\d\dZ/).waitFor()
    await world.button('Stop the clock').click()
    await world.page.getByText('The clock is stopped').waitFor()
    await world.page.getByLabel('Moment').fill('soon')
    await world.button('Set the clock').click()
    await world.page
      .getByRole('alert')
      .getByText(/must be a date/)
      .waitFor()
    world.expectRefusals()
    await world.button('Back to the machine’s time').click()
    await world.page.getByText('same as the machine’s time').waitFor()
    expect(Math.abs(world.serving.clock.facts().ahead)).toBeLessThan(2000)
  })
})
