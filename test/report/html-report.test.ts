/** The HTML report in a real browser, from a file: what it shows first, its filters, and that nothing in it runs. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { visible } from '../../exchange/visible.ts'
import { htmlReport } from '../../harness/report/html.ts'
import { chromiumPath, type OpenBrowser, openBrowser } from '../support/browser.ts'
import { nasty, sampleReport } from '../support/sample-report.ts'

if (chromiumPath === undefined)
  console.warn(
    'The HTML report was NOT tested: no Chromium on this machine. Set CHROMIUM to its path to test it.',
  )

const folder = mkdtempSync(join(tmpdir(), 'html-report-'))
const address = pathToFileURL(join(folder, 'report.html')).href
let browser: OpenBrowser
let page: Page
let problems: string[]

const shown = () =>
  page.locator('details[data-status]:visible').evaluateAll((all) => all.map((each) => each.id).sort())
const button = (status: string) => page.getByRole('button', { name: new RegExp(`^\\d+ ${status}$`) })

describe.skipIf(chromiumPath === undefined)('the HTML report', { timeout: 60_000 }, () => {
  beforeAll(async () => {
    writeFileSync(join(folder, 'report.html'), htmlReport(sampleReport()))
    browser = await openBrowser({ viewport: { width: 360, height: 800 } })
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    rmSync(folder, { recursive: true })
  })

  beforeEach(async () => {
    problems = []
    page = await browser.context.newPage()
    page.on('console', (message) => problems.push(message.text()))
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('dialog', (dialog) => {
      problems.push(dialog.message())
      void dialog.dismiss()
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(address)) problems.push(request.url())
    })
    await page.goto(address)
  })
  afterEach(async () => {
    await page.close()
    expect(problems).toEqual([])
  })

  it('shows at first what asks for a reader, the failure opened', async () => {
    expect(await shown()).toEqual([
      'batch.order',
      'create.persists',
      'list.page',
      'list.total-pages',
      'otp.once',
    ])
    expect(
      await page.locator('details[data-status][open]').evaluateAll((all) => all.map((each) => each.id)),
    ).toEqual(['list.total-pages'])
    expect(await page.locator('h2').allTextContents()).toContain(
      'What this server does where the document does not say',
    )
  })

  it('keeps what a server sent as text', async () => {
    const fact = await page.locator('[id="list.total-pages"] .fact').textContent()
    expect(fact).toBe(visible(nasty))
  })

  it('filters by status and by words', async () => {
    await button('pass').click()
    expect(await shown()).toContain('list.shape')
    for (const status of ['fail', 'warn', 'blocked', 'untestable']) await button(status).click()
    expect(await shown()).toEqual(['list.shape'])
    await page.getByRole('searchbox').fill('nowhere')
    await page.getByText('No finding matches.').waitFor()
    await page.getByRole('searchbox').fill('LIST 2.4')
    expect(await shown()).toEqual(['list.shape'])
  })

  it('opens the finding that its address names, also one that is filtered out', async () => {
    await page.goto(`${address}#list.shape`)
    await page.reload()
    expect(await page.locator('[id="list.shape"]').getAttribute('open')).toBe('')
    expect(await page.locator('[id="list.shape"]').isVisible()).toBe(true)
  })

  it('is read without scripts, and fits a telephone', async () => {
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(360)
    const plain = await openBrowser({ javaScriptEnabled: false })
    const other = await plain.context.newPage()
    await other.goto(address)
    expect(await other.locator('details[data-status]:visible').count()).toBe(8)
    expect(await other.locator('#filters').isVisible()).toBe(false)
    await plain.close()
  })
})
