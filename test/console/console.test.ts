/** The console page in a real browser: every flow a person would go through, and what must never happen on the way. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createConsole } from '../../console/serve-console.ts'
import { readShape } from '../../serve/read-shape.ts'
import { type Serving, startServing } from '../../serve/serving.ts'
import { chromiumPath, type OpenBrowser, openBrowser } from '../support/browser.ts'

const superuser = {
  id: 'superuser000001',
  email: 'superuser@example.com',
  password: 'superuser-secret',
  tokenKey: 'k'.repeat(50),
}
const hostile = '<img src=x onerror="document.title=`broken`"><script>document.title=`broken`</script>'

let browser: OpenBrowser
let serving: Serving
let page: Page
let problems: string[]

if (chromiumPath === undefined)
  console.warn(
    'The console was NOT tested: no Chromium on this machine. Set CHROMIUM to its path to test it.',
  )

async function api(path: string, body?: unknown, authorization = ''): Promise<Response> {
  return fetch(`${serving.url}/api/v1/collections/${path}`, {
    headers: { 'content-type': 'application/json', authorization },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
}

const open = async (place: string) => {
  await page.goto(`${serving.url}/_/${place}`)
  await page.locator('h1').first().waitFor()
}
const heading = (name: string | RegExp) => page.getByRole('heading', { level: 1, name }).waitFor()
const button = (name: string) => page.getByRole('button', { name, exact: true })
const row = (text: string) => page.getByRole('row').filter({ hasText: text })

describe.skipIf(chromiumPath === undefined)('the console in Chromium', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    browser = await openBrowser({ viewport: { width: 1200, height: 800 } })
  }, 60_000)
  afterAll(() => browser?.close())

  beforeEach(async () => {
    const data = readShape({
      users: [
        { id: 'ann', email: 'ann@example.com', password: 'secret1234', name: 'Ann' },
        { id: 'bo', email: 'bo@example.com', password: 'secret1234', name: 'Bo' },
      ],
      posts: Array.from({ length: 35 }, (_, at) => ({
        id: `post${at}`,
        title: at === 0 ? hostile : `Title ${at}`,
        userId: 'ann',
      })),
    })
    serving = await startServing({ data, seed: 7, superuser, beside: [createConsole] })
    page = await browser.context.newPage()
    problems = []
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('request', (request) => {
      if (!request.url().startsWith(serving.url)) problems.push(`asked elsewhere: ${request.url()}`)
    })
  })
  afterEach(async () => {
    const title = await page.title()
    await page.close()
    await serving.close()
    expect(problems).toEqual([])
    expect(title).not.toBe('broken')
  })

  it('leads from tables to records, filters, pages and follows relations; what records hold stays text', async () => {
    await open('')
    await heading('Tables')
    await page.getByRole('link', { name: 'posts' }).click()
    await heading('posts')
    await page.getByText('35 records, page 1 of 2').waitFor()
    await row(hostile.slice(0, 20)).waitFor()
    expect(await page.locator('main img, main script').count()).toBe(0)
    await page.getByRole('link', { name: 'Next' }).click()
    await page.getByText('page 2 of 2').waitFor()
    await page.getByLabel('Filter').fill('title ~ "Title 12"')
    await page.getByLabel('Filter').press('Enter')
    await page.getByText('1 record, page 1 of 1').waitFor()
    await page.getByRole('link', { name: 'post12' }).click()
    await heading(/post12/)
    await page.getByRole('link', { name: 'ann' }).click()
    await heading(/ann/)
    await page.goBack()
    await page.goBack()
    await page.getByLabel('Filter').fill('nonsense (')
    await button('Show').click()
    await page.locator('.error').waitFor()
    problems = problems.filter((text) => !/status of 400/.test(text))
  })

  it('makes tokens that work, deletes records after asking, and resets', async () => {
    await open('#/tables/users/ann')
    await button('Make a token').click()
    const token = (await page.locator('.secret pre').textContent()) ?? ''
    expect((await api('users/auth-refresh', {}, token)).status).toBe(200)
    await button('Delete the record').click()
    await button('Cancel').click()
    expect((await api('users/records/ann')).status).toBe(200)
    await button('Delete the record').click()
    await button('Delete it').click()
    await heading('users')
    expect((await api('users/records/ann')).status).toBe(404)
    await page.getByRole('link', { name: 'Tables' }).first().click()
    await heading('Tables')
    await button('Reset the server').click()
    await button('Reset').click()
    await page.getByText('The server is back where it began').waitFor()
    expect((await api('users/records/ann')).status).toBe(200)
  })

  it('shows mails as they come, and their links confirm', async () => {
    await open('#/mail')
    await page.getByText('No mails yet').waitFor()
    await api('users/request-verification', { email: 'ann@example.com' })
    await row('ann@example.com').waitFor()
    expect(await page.getByRole('navigation').first().textContent()).toMatch(/Mail\s*1/)
    await page.getByRole('link', { name: 'ann@example.com' }).click()
    await heading(/Verify your/)
    await page.locator('dd a').click()
    await heading('Confirm your e-mail address')
    await page.getByText('For ann@example.com').waitFor()
    await button('Confirm').click()
    await heading('Done')
    const { store } = serving.reference
    const users = store.current.table('users')
    expect(users && store.current.get(users, 'ann')?.values.verified).toBe(true)
  })

  it('resets a password by the link of a mail, and says what is wrong on the way', async () => {
    await api('users/request-password-reset', { email: 'bo@example.com' })
    const { link = '' } = await serving.reference.mail.waitFor({ kind: 'password-reset' })
    await page.goto(link)
    await heading('Choose a new password')
    await page.getByLabel('New password').fill('another-secret')
    await page.getByLabel('The same again').fill('something-else')
    await button('Set the password').click()
    await page
      .getByRole('alert')
      .getByText(/passwordConfirm/)
      .waitFor()
    problems = problems.filter((text) => !/status of 400/.test(text))
    await page.getByLabel('The same again').fill('another-secret')
    await button('Set the password').click()
    await heading('Done')
    const signIn = await api('users/auth-with-password', {
      identity: 'bo@example.com',
      password: 'another-secret',
    })
    expect(signIn.status).toBe(200)
  })

  it('changes an address by the link of a mail', async () => {
    const signIn = await api('users/auth-with-password', {
      identity: 'bo@example.com',
      password: 'secret1234',
    })
    const { token } = (await signIn.json()) as { token: string }
    await api('users/request-email-change', { newEmail: 'new@example.com' }, token)
    const { link = '' } = await serving.reference.mail.waitFor({ kind: 'email-change' })
    await page.goto(link)
    await page.getByText('For new@example.com').waitFor()
    await page.getByLabel('Your password').fill('secret1234')
    await button('Confirm').click()
    await heading('Done')
    await page.goto(`${serving.url}/_/#/auth/confirm-verification/nonsense`)
    await page.getByText('This link is not complete').waitFor()
  })

  it('shows requests live with their findings', async () => {
    await open('#/requests')
    await page.getByText('No requests yet').waitFor()
    await api('posts/records?perPage=1')
    await row('/posts/records?perPage=1').getByText('✓ conforms').waitFor()
    await api('posts/records/none')
    await row('/posts/records/none').getByText('404').waitFor()
    // What a server that does not conform would answer.
    serving.exchanges.add({
      at: new Date().toISOString(),
      method: 'GET',
      path: '/api/v1/collections/posts/records/bad',
      operation: 'viewRecord',
      caller: 'anonymous',
      status: 200,
      duration: 1,
      request: { headers: {} },
      response: { headers: {}, body: '{"id":1}', size: 8 },
      findings: [
        {
          requirement: 'record.id',
          level: 'MUST',
          status: 'fail',
          statement: hostile,
          path: '$.id',
          expected: 'string',
          received: '1',
        },
      ],
    })
    await row('/bad').getByText('✗ 1 finding').waitFor()
    await page.getByLabel('Only with findings').check()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('link', { name: /bad/ }).click()
    await heading(/bad/)
    await page.getByText('record.id').waitFor()
    await page.getByRole('link', { name: 'All requests' }).click()
    await page.getByLabel('Search').fill('none 404')
    expect(await page.getByRole('row').count()).toBe(2)
    await button('Clear').click()
    await page.getByText('No requests yet').waitFor()
  })

  it('creates a key, shows it once, and revokes it', async () => {
    await open('#/keys')
    await button('Create the key').click()
    await page
      .getByRole('alert')
      .getByText(/at least one/)
      .waitFor()
    problems = problems.filter((text) => !/status of 400/.test(text))
    await page.getByLabel('Name').fill('reader')
    await page.getByLabel('posts', { exact: true }).check()
    await button('Create the key').click()
    const key = (await page.locator('#new-key').textContent()) ?? ''
    expect(key).toMatch(/^rak_/)
    await row('reader').getByText('never').waitFor()
    expect((await api('users/records', undefined, key)).status).toBe(403)
    expect((await api('posts/records', undefined, key)).status).toBe(200)
    await page.reload()
    await row('reader').waitFor()
    expect(await page.content()).not.toContain(key)
    await button('Revoke reader').click()
    await button('Revoke').click()
    await page.getByText('No keys yet').waitFor()
    expect((await api('users/records', undefined, key)).status).toBe(200)
  })

  it('moves, stops and resets the clock', async () => {
    await open('#/clock')
    await page.getByLabel('Moment').fill('2030-01-31T12:00:00Z')
    await button('Set the clock').click()
    await page.getByText(/2030-01-31 12:00:0\dZ/).waitFor()
    await button('1 day').click()
    await page.getByText(/2030-02-01 12:00:0\dZ/).waitFor()
    await button('Stop it').click()
    await page.getByText('The clock stands still').waitFor()
    await page.getByLabel('Moment').fill('soon')
    await button('Set the clock').click()
    await page
      .getByRole('alert')
      .getByText(/must be a date/)
      .waitFor()
    problems = problems.filter((text) => !/status of 400/.test(text))
    await button('Back to the machine’s time').click()
    await page.getByText('with the machine’s time').waitFor()
    expect(Math.abs(serving.clock.facts().ahead)).toBeLessThan(2000)
  })

  it('can be walked through by keyboard, and tells where one is', async () => {
    await open('')
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    const mail = page.getByRole('link', { name: 'Mail' })
    await mail.focus()
    await page.keyboard.press('Enter')
    await heading('Mail')
    expect(await page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(await mail.getAttribute('aria-current')).toBe('page')
    expect(await page.title()).toMatch(/^Mail · /)
  })

  it.each(['light', 'dark'] as const)(
    'names every control and has contrast enough, in the %s',
    async (colorScheme) => {
      await page.emulateMedia({ colorScheme })
      await api('users/request-password-reset', { email: 'bo@example.com' })
      await serving.reference.mail.waitFor()
      const shots = process.env.CONSOLE_SCREENSHOTS
      for (const place of [
        'tables',
        'tables/users',
        'tables/users/ann',
        'mail',
        'mail/1',
        'requests',
        'requests/1',
        'keys',
        'clock',
      ]) {
        await open(`#/${place}`)
        await page.waitForTimeout(100)
        if (shots) {
          mkdirSync(shots, { recursive: true })
          await page.screenshot({
            path: join(shots, `${place.replaceAll('/', '-')}-${colorScheme}.png`),
            fullPage: true,
          })
        }
        expect([place, await page.evaluate(flaws)]).toEqual([place, []])
      }
    },
  )

  it('would find a control without a name, faint text and a second main heading', async () => {
    await open('#/clock')
    await page.evaluate(`{
      const faint = document.createElement('p')
      faint.textContent = 'faint'
      faint.style.color = 'rgb(200, 200, 200)'
      document.body.append(faint, document.createElement('button'), document.createElement('h1'))
    }`)
    const found = (await page.evaluate(flaws)) as string[]
    expect(found.map((text) => text.replace(/^[\d.]+/, 'ratio').slice(0, 12))).toEqual([
      'no name: <bu',
      'ratio: faint',
      'not one main',
    ])
  })

  it('fits a narrow window', async () => {
    await page.setViewportSize({ width: 360, height: 700 })
    for (const place of ['tables', 'tables/posts', 'mail', 'requests', 'keys', 'clock']) {
      await open(`#/${place}`)
      expect([place, await page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, 360])
    }
  })
})

/** Looks for controls without a name and for text whose contrast is below 4.5 to 1 (WCAG 2.2, AA). */
const flaws = `(() => {
  const found = []
  for (const control of document.querySelectorAll('a, button, input, select, textarea')) {
    if (control.closest('[hidden]')) continue
    const label = control.labels?.[0]?.textContent ?? control.getAttribute('aria-label') ?? control.textContent
    if (label.trim() === '') found.push('no name: ' + control.outerHTML.slice(0, 80))
  }
  const channels = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number)
  const luminance = (text) => {
    const [r, g, b] = channels(text).slice(0, 3).map((one) => {
      const part = one / 255
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * r + 0.7152 * g + 0.0722 * b
  }
  const ground = (element) => {
    for (let at = element; at; at = at.parentElement) {
      const { backgroundColor } = getComputedStyle(at)
      if ((channels(backgroundColor)[3] ?? 1) === 1) return backgroundColor
    }
    return 'rgb(255, 255, 255)'
  }
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement
    if (walker.currentNode.textContent.trim() === '' || !element.checkVisibility()) continue
    if (element.closest('.hidden, .skip, noscript, :disabled')) continue
    const [a, b] = [luminance(getComputedStyle(element).color), luminance(ground(element))]
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)
    if (contrast < 4.5) found.push(contrast.toFixed(2) + ': ' + walker.currentNode.textContent.slice(0, 40))
  }
  if (document.querySelectorAll('h1').length !== 1) found.push('not one main heading')
  return found
})()`
