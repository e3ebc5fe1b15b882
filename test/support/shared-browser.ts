/**
 * One browser for all tests of a file, opened before the first and closed after the last. Where there is no Chromium, the
 * tests are skipped and the console says so.
 *
 * @module
 */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe } from 'vitest'
import { chromiumPath, type OpenBrowser, openBrowser } from '../../scripts/support/browser.ts'

let browser: OpenBrowser | undefined

if (chromiumPath === undefined)
  console.warn(
    'The console, the HTML report and the documentation page were NOT tested: no Chromium on this machine. Set CHROMIUM to its path to test them.',
  )
else {
  beforeAll(async () => {
    browser = await openBrowser()
  }, 60_000)
  afterAll(() => browser?.close())
}

/** As `describe`, where there is a browser. */
export function describeInBrowser(name: string, tests: () => void): void {
  describe.skipIf(chromiumPath === undefined)(name, { timeout: 60_000 }, tests)
}

/** Opens a page of that size, in CSS pixels. The caller closes it. */
export async function newPage(width: number, height: number): Promise<Page> {
  if (browser === undefined) throw new Error('The browser is opened before the first test, and not earlier.')
  const page = await browser.context.newPage()
  await page.setViewportSize({ width, height })
  return page
}
