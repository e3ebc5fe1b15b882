/** The console's mailbox, and the pages that links in emails lead to. */

import { expect, it } from 'vitest'
import { servicesOf } from '../../reference/services-of.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { inConsole } from './in-console.ts'

inConsole('mail', (world) => {
  it('shows mails as they come, and their links confirm', async () => {
    await world.open('#/mail')
    await world.page.getByText('No emails yet').waitFor()
    await world.api('users/request-verification', { email: 'ann@example.com' })
    await world.row('ann@example.com').waitFor()
    await world.page
      .getByRole('navigation')
      .first()
      .getByText(/Mail\s*1/)
      .waitFor()
    await world.page.getByRole('link', { name: 'ann@example.com' }).click()
    await world.heading(/Verify your/)
    await world.page.locator('dd a').click()
    await world.heading('Confirm your email address')
    await world.page.getByText('For ann@example.com').waitFor()
    await world.button('Confirm').click()
    await world.heading('Done')
    const { store } = servicesOf(world.serving.reference)
    const users = store.current.table('users')
    expect(users && store.current.get(users, 'ann')?.values.verified).toBe(true)
  })

  it.runIf(inFull)('resets a password by the link of a mail, and says what is wrong on the way', async () => {
    await world.api('users/request-password-reset', { email: 'bo@example.com' })
    const { link = '' } = await world.serving.reference.mail.waitFor({
      kind: 'password-reset',
      timeout: 10_000,
    })
    await world.page.goto(link)
    await world.heading('Choose a new password')
    await world.page.getByLabel('New password').fill('another-secret')
    await world.page.getByLabel('Repeat password').fill('something-else')
    await world.button('Set the password').click()
    await world.page
      .getByRole('alert')
      .getByText(/passwordConfirm/)
      .waitFor()
    world.expectRefusals()
    await world.page.getByLabel('Repeat password').fill('another-secret')
    await world.button('Set the password').click()
    await world.heading('Done')
    const signIn = await world.api('users/auth-with-password', {
      identity: 'bo@example.com',
      password: 'another-secret',
    })
    expect(signIn.status).toBe(200)
  })

  it.runIf(inFull)('changes an address by the link of a mail', async () => {
    const signIn = await world.api('users/auth-with-password', {
      identity: 'bo@example.com',
      password: 'secret1234',
    })
    const { token } = (await signIn.json()) as { token: string }
    await world.api('users/request-email-change', { newEmail: 'new@example.com' }, token)
    const { link = '' } = await world.serving.reference.mail.waitFor({
      kind: 'email-change',
      timeout: 10_000,
    })
    await world.page.goto(link)
    await world.page.getByText('For new@example.com').waitFor()
    await world.page.getByLabel('Your password').fill('secret1234')
    await world.button('Confirm').click()
    await world.heading('Done')
    await world.page.goto(`${world.serving.url}/_/#/auth/confirm-verification/nonsense`)
    const incomplete = world.page.getByText('This link is incomplete')
    await expect(incomplete.waitFor()).resolves.toBeUndefined()
  })
})
