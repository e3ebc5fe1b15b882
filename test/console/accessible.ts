/** What holds on every page of the console: no finding of axe, keyboard, narrow windows. */

import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { AxeResults } from 'axe-core'
import { expect, it } from 'vitest'
import { inFull, inSample } from '../../scripts/support/in-full.ts'
import { type ConsoleWorld, inConsole } from './in-console.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What axe finds on the page as it is, by rule and element.  */
async function flaws({ page }: ConsoleWorld): Promise<string[]> {
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(axe)
  const { violations } = (await page.evaluate(`axe.run({ resultTypes: ['violations'] })`)) as Pick<
    AxeResults,
    'violations'
  >
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 120)}`))
}

/** `npm test` looks at the one that most can go wrong in. */
const windows = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 390, colorScheme: 'dark' },
  { width: 390, colorScheme: 'light' },
] as const

const shots = process.env.CONSOLE_SCREENSHOTS

inConsole('every page', (world) => {
  const focused = (property: string) => world.page.evaluate(`document.activeElement.${property}`)

  /** In the windows: nothing for axe, and nothing wider than the window. */
  async function examine(name: string) {
    const { page } = world
    for (const { width, colorScheme } of windows.filter(inSample(4, 2))) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      if (shots) {
        mkdirSync(shots, { recursive: true })
        const file = `${name.replaceAll('/', '-')}-${width}-${colorScheme}.png`
        await page.screenshot({ path: join(shots, file), fullPage: true })
      }
      const found = [await flaws(world), await page.evaluate('document.documentElement.scrollWidth')]
      expect([name, width, colorScheme, ...found]).toEqual([name, width, colorScheme, [], width])
    }
  }

  it('can be walked through by keyboard, and tells where one is', async () => {
    const { page } = world
    await world.open('')
    await page.keyboard.press('Tab')
    expect(await focused('textContent')).toBe('Skip to the content')
    const mail = page.getByRole('link', { name: 'Mail' })
    await mail.focus()
    await page.keyboard.press('Enter')
    await world.heading('Mail')
    expect(await focused('tagName')).toBe('H1')
    expect(await mail.getAttribute('aria-current')).toBe('page')
    expect(await page.title()).toMatch(/^Mail · /)
  })

  it.runIf(inFull)('skips to the content, and stays at the same page', async () => {
    const { page, serving } = world
    for (const place of ['', '#/mail']) {
      await world.open(place)
      const skip = page.getByRole('link', { name: 'Skip to the content' })
      await skip.focus()
      await page.keyboard.press('Enter')
      expect([await focused('id'), page.url()]).toEqual(['main', `${serving.url}/_/${place}`])
    }
    await world.heading('Mail')
    // Where the link leads in another tab.
    await world.open('#main')
    await world.heading('Tables')
    await page.reload()
    await world.heading('Tables')
    expect(page.url()).toBe(`${serving.url}/_/#/tables`)
  })

  it.runIf(inFull)('reaches everything with Tab in the order of the page, with a visible ring', async () => {
    const { page } = world
    await world.open('#/edit/posts/post1')
    await page.locator('.crumbs a').last().focus()
    const seen = new Set<unknown>()
    for (let presses = 0; presses < 20 && !seen.has('Save'); presses += 1) {
      await page.keyboard.press('Tab')
      // A date has a stop for each of its parts.
      seen.add(await focused(`id || document.activeElement.textContent`))
      expect(await page.evaluate('getComputedStyle(document.activeElement).outlineWidth')).toBe('3px')
    }
    const order = await page.evaluate(
      `[...document.querySelectorAll('form button, form input, form textarea')].map((each) => each.id || each.textContent)`,
    )
    expect([...seen]).toEqual(order)
  })

  it('closes with Escape, and gives the focus back', async () => {
    const { page } = world
    await world.open('#/tables/users/ann')
    await world.button('Delete the record').focus()
    await page.keyboard.press('Enter')
    expect(await focused('textContent')).toBe('Cancel')
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
    expect(await focused('textContent')).toBe('Delete the record')
    await world.open('#/edit/posts/post1')
    const relation = page.getByLabel('userId', { exact: true })
    await relation.focus()
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Escape')
    expect(await page.getByRole('option').count()).toBe(0)
    expect(await focused('id')).toBe(await relation.getAttribute('id'))
    await page.keyboard.press('ArrowDown')
    await page.getByRole('option').first().waitFor()
    await page.keyboard.press('Enter')
    await world.button('Remove Bo').focus()
    await page.keyboard.press('Enter')
    expect(await focused('id')).toBe(await relation.getAttribute('id'))
  })

  it('has nothing for axe in wide and narrow windows, in the light and in the dark', async () => {
    const { page, serving } = world
    const { reference } = serving
    await world.api('users/request-password-reset', { email: 'bo@example.com' })
    await reference.mail.waitFor({ timeout: 10_000 })
    await world.api('posts/records?filter=(')
    await world.api('posts/records/none')
    await reference.fetch('/api/v1/nothing')
    reference.fault({ status: 503, times: 1 })
    await world.api('posts/records')
    await reference.apiKeys.create({ name: 'reader', tables: ['*'], actions: ['list'] })
    await serving.settled()
    const [, rejected] = serving.exchanges.list()
    const places = [
      'tables',
      'tables/posts',
      'tables/users/ann',
      'new/users',
      'edit/posts/post1',
      'mail',
      'mail/1',
      'requests',
      `requests/${rejected?.id}`,
      'keys',
      'clock',
      'nothing',
    ]
    for (const place of places.filter(inSample(3, 1))) {
      await world.open(`#/${place}`)
      if (place === 'tables/posts') await page.getByText('Fields and rules').click()
      if (place === 'edit/posts/post1') {
        await page.getByLabel('userId', { exact: true }).click()
        await page.getByRole('option').first().waitFor()
      }
      await examine(place)
    }
    await world.open('#/realtime')
    await page.getByText('Connected').waitFor()
    await reference.records.update('posts', 'post1', { title: 'Changed' })
    await page.locator('.change').waitFor()
    await examine('realtime')
    await world.open('#/tables')
    await world.button('Reset the server').click()
    await examine('dialog')
    await page.keyboard.press('Escape')
  })

  it('would find a control without a name, and faint text', async () => {
    await world.open('#/clock')
    await world.page.evaluate(`{
      const faint = document.createElement('p')
      faint.textContent = 'faint'
      faint.style.color = 'rgb(200, 200, 200)'
      document.querySelector('main').append(faint, document.createElement('button'))
    }`)
    const found = await flaws(world)
    expect(found.map((text) => text.split(':')[0]).sort()).toEqual(['button-name', 'color-contrast'])
  })

  it.runIf(inFull)('shows an id on one line in a narrow window', async () => {
    await world.page.setViewportSize({ width: 390, height: 800 })
    for (const place of ['tables/posts', 'tables/users']) {
      await world.open(`#/${place}`)
      const row = await world.page.locator('tbody tr').last().boundingBox()
      expect([place, (row?.height ?? 0) < 60]).toEqual([place, true])
    }
  })
})
