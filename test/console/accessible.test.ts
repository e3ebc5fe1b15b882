/** What holds on every page of the console: names, contrast, keyboard, narrow windows. */

import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { inConsole } from './in-console.ts'

inConsole('every page', (world) => {
  it('can be walked through by keyboard, and tells where one is', async () => {
    await world.open('')
    await world.page.keyboard.press('Tab')
    expect(await world.page.evaluate('document.activeElement.textContent')).toBe('Skip to the content')
    const mail = world.page.getByRole('link', { name: 'Mail' })
    await mail.focus()
    await world.page.keyboard.press('Enter')
    await world.heading('Mail')
    expect(await world.page.evaluate('document.activeElement.tagName')).toBe('H1')
    expect(await mail.getAttribute('aria-current')).toBe('page')
    expect(await world.page.title()).toMatch(/^Mail · /)
  })

  it.each(['light', 'dark'] as const)(
    'names every control and has contrast enough, in the %s',
    async (colorScheme) => {
      await world.page.emulateMedia({ colorScheme })
      await world.api('users/request-password-reset', { email: 'bo@example.com' })
      await world.serving.reference.mail.waitFor({ timeout: 10_000 })
      const shots = process.env.CONSOLE_SCREENSHOTS
      for (const place of [
        'tables',
        'tables/users',
        'tables/users/ann',
        'new/users',
        'edit/users/ann',
        'mail',
        'mail/1',
        'requests',
        'requests/1',
        'keys',
        'clock',
      ]) {
        await world.open(`#/${place}`)
        await world.page.waitForTimeout(100)
        if (shots) {
          mkdirSync(shots, { recursive: true })
          await world.page.screenshot({
            path: join(shots, `${place.replaceAll('/', '-')}-${colorScheme}.png`),
            fullPage: true,
          })
        }
        expect([place, await world.page.evaluate(flaws)]).toEqual([place, []])
      }
    },
  )

  it('would find a control without a name, faint text and a second main heading', async () => {
    await world.open('#/clock')
    await world.page.evaluate(`{
      const faint = document.createElement('p')
      faint.textContent = 'faint'
      faint.style.color = 'rgb(200, 200, 200)'
      document.body.append(faint, document.createElement('button'), document.createElement('h1'))
    }`)
    const found = (await world.page.evaluate(flaws)) as string[]
    expect(found.map((text) => text.replace(/^[\d.]+/, 'ratio').slice(0, 12))).toEqual([
      'no name: <bu',
      'ratio: faint',
      'not one main',
    ])
  })

  it('fits a narrow window', async () => {
    await world.page.setViewportSize({ width: 360, height: 700 })
    for (const place of [
      'tables',
      'tables/posts',
      'new/posts',
      'edit/users/ann',
      'mail',
      'requests',
      'keys',
      'clock',
    ]) {
      await world.open(`#/${place}`)
      expect([place, await world.page.evaluate('document.documentElement.scrollWidth')]).toEqual([place, 360])
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
