/** A logged request, as a curl command and sent again. */

import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { inConsole } from './in-console.ts'

inConsole('requests once more', (world) => {
  it('copies a request as a curl command that works, and sends it again with its secrets', async () => {
    const { page, serving } = world
    const { reference, exchanges } = serving
    const token = await reference.tokenFor('users', 'ann')
    await world.api('posts/records', { title: "It's new", userId: 'ann' }, token)
    await serving.settled()
    const [first] = exchanges.list()
    await world.open(`#/requests/${first?.id}`)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await world.button('Copy as curl').click()
    await page.getByText('Copied').waitFor()
    const copied = String(await page.evaluate('navigator.clipboard.readText()'))
    expect(copied).not.toContain(token)
    expect(copied).toContain(`-H 'authorization: '"$TOKEN"`)
    // The server is in this process: curl must not block it, so only its arguments are read.
    const args = execFileSync('sh', ['-c', `curl() { printf '%s\\n' "$@"; }; ${copied}`], {
      encoding: 'utf8',
      env: { ...process.env, TOKEN: token },
    })
    expect(args).toContain(`authorization: ${token}\n`)
    expect(args).toContain(`{"title":"It's new","userId":"ann"}\n`)
    await world.button('Send again').click()
    await page.getByText('Sent again').waitFor()
    await expect.poll(() => page.url().endsWith(`/requests/${first?.id}`)).toBe(false)
    const [, second] = exchanges.list()
    expect(second).toMatchObject({ method: 'POST', path: first?.path, caller: 'users/ann', status: 200 })
    expect(page.url()).toMatch(new RegExp(`/requests/${second?.id}$`))
    expect(reference.records.count('posts')).toBe(37)
  })

  it.runIf(inFull)('does not offer to send what it did not keep', async () => {
    const { page, serving } = world
    const form = new FormData()
    form.append('title', new Blob([new Uint8Array([0xff, 0xfe])]))
    await fetch(`${serving.url}/api/v1/collections/posts/records`, { method: 'POST', body: form })
    await serving.settled()
    const [first] = serving.exchanges.list()
    await world.open(`#/requests/${first?.id}`)
    expect(await world.button('Send again').isDisabled()).toBe(true)
    await page.getByText('its body was not kept').waitFor()
    expect(await page.locator('#curl').textContent()).toContain('--data-binary @body')
  })
})
