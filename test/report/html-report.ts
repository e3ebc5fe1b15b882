/** The HTML report in a real browser, from a file: what it shows first, its filters, and that nothing in it runs. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { visible } from '../../exchange/visible.ts'
import { htmlReport } from '../../harness/report/html.ts'
import { openBrowser } from '../../scripts/support/browser.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { nasty, sampleReport } from '../support/sample-report.ts'
import { describeInBrowser, newPage } from '../support/shared-browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'html-report-'))
const address = pathToFileURL(join(folder, 'report.html')).href
let page: Page
let problems: string[]

const shown = () =>
  page.locator('li[data-status]:visible').evaluateAll((all) => all.map((each) => each.id).sort())
const button = (status: string) => page.getByRole('button', { name: new RegExp(`^\\d+ ${status}$`) })

describeInBrowser('the HTML report', () => {
  beforeAll(() => {
    writeFileSync(join(folder, 'report.html'), htmlReport(sampleReport()))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  beforeEach(async () => {
    problems = []
    page = await newPage(360, 800)
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

  it('shows the verdict, then the failure opened and the warning, then everything', async () => {
    const headings = await page.locator('h2').allTextContents()
    expect(headings.slice(0, 2)).toEqual(['Failed', 'Warned'])
    expect(headings.indexOf('Coverage')).toBeLessThan(headings.indexOf('Untestable'))
    expect(headings.at(-1)).toBe('Everything')
    const opened = page.locator('details.finding[open]')
    expect(await opened.evaluateAll((all) => all.map((each) => each.id))).toEqual(['list.total-pages'])
    expect(await page.locator('details.finding').count()).toBe(2)
  })

  it.runIf(inFull)('draws how many findings there are of each status, with the same in words', async () => {
    const bar = page.locator('header svg.bar')
    expect(await bar.getAttribute('aria-label')).toBe(
      '2 fail, 1 warn, 1 blocked, 1 untestable, 1 observed, 1 not-applicable, 1 pass',
    )
    expect(await bar.locator('rect.pass').getAttribute('x')).toBe('0')
  })

  it('copies a text and the link to a finding', async () => {
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    const copied = () => page.evaluate<string>('navigator.clipboard.readText()')
    const finding = page.locator('[id="list.total-pages"]')
    await finding.getByRole('button', { name: 'copy: replay' }).click()
    await finding.getByText('copied').waitFor()
    expect(await copied()).toBe('npx conformance --seed 7')
    await finding.getByRole('button', { name: 'copy the link' }).click()
    await page.waitForFunction(`navigator.clipboard.readText().then((text) => text.startsWith('file:'))`)
    expect(await copied()).toBe(`${address}#list.total-pages`)
  })

  it('keeps what a server sent as text', async () => {
    const fact = await page.locator('[id="list.total-pages"] .fact').textContent()
    expect(fact).toBe(visible(nasty))
  })

  it.runIf(inFull)('filters by status and by words', async () => {
    expect(await shown()).toHaveLength(8)
    for (const status of ['fail', 'warn', 'blocked', 'untestable', 'observed', 'not-applicable'])
      await button(status).click()
    expect(await shown()).toEqual(['list.shape'])
    await page.getByRole('searchbox').fill('nowhere')
    await page.getByText('No finding matches.').waitFor()
    await page.getByRole('searchbox').fill('SHAPE 2.4')
    expect(await shown()).toEqual(['list.shape'])
  })

  it.runIf(inFull)('opens the finding that its address names, also one that is filtered out', async () => {
    await page.locator('[id="list.total-pages"] > summary').click()
    await page.evaluate(`location.hash = ""`)
    await page.evaluate(`location.hash = "#list.total-pages"`)
    await page.locator('[id="list.total-pages"][open]').waitFor()
    await button('pass').click()
    expect(await page.locator('[id="list.shape"]').isVisible()).toBe(false)
    await page.evaluate(`location.hash = "#list.shape"`)
    await page.locator('[id="list.shape"]:visible').waitFor()
  })

  it.runIf(inFull)('is read without scripts, and fits a phone', async () => {
    expect(await page.locator('html').evaluate(({ scrollWidth }) => scrollWidth)).toBe(360)
    const plain = await openBrowser({ javaScriptEnabled: false })
    const other = await plain.context.newPage()
    await other.goto(address)
    expect(await other.locator('li[data-status]:visible').count()).toBe(8)
    expect(await other.locator('#filters').isVisible()).toBe(false)
    await plain.close()
  })
})
