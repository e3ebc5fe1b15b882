/** The documentation page of `serve --docs` in a real browser. */

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { createDocs, findSwaggerUi } from '../../serve/docs/create-docs.ts'
import { readShape } from '../../serve/read-shape.ts'
import { type Serving, startServing } from '../../serve/serving.ts'
import { describeInBrowser, newPage } from '../support/shared-browser.ts'

const rows = {
  users: [{ id: 'ann', email: 'ann@example.com', password: 'secret1234', name: 'Ann' }],
  posts: [{ id: 'post1', title: 'One', userId: 'ann' }],
}
const folder = findSwaggerUi() ?? ''

let serving: Serving
beforeAll(async () => {
  serving = await startServing({
    data: readShape(rows),
    seed: 7,
    superuser,
    handlers: [createDocs(folder)],
  })
})
afterAll(() => serving?.close())

const get = (path: string, headers = {}) => fetch(`${serving.url}${path}`, { headers, redirect: 'manual' })

describe('the files of the page', () => {
  it('describe the served tables, as JSON and as YAML', async () => {
    const json = await get('/_docs/openapi.json')
    expect(json.headers.get('content-type')).toBe('application/json')
    expect(Object.keys(((await json.json()) as { paths: object }).paths)).toContain(
      '/api/v1/collections/posts/records',
    )
    const yaml = await get('/_docs/openapi.yaml')
    expect(await yaml.text()).toContain('operationId: listPostsRecords')
  })

  it.each([
    ['/_docs', 302],
    ['/_docs/', 200],
    ['/_docs/swagger-ui.css', 200],
    ['/_docs/nothing.js', 404],
    ['/_docs/..%2Fpackage.json', 404],
    ['/_docs/package.json', 404],
  ])('%s: %i', async (path, status) => {
    expect((await get(path)).status).toBe(status)
  })

  it('are not there without Swagger UI', () => {
    expect(findSwaggerUi(['file:///nowhere/package.json'])).toBe(undefined)
  })
})

describeInBrowser('the documentation page in Chromium', () => {
  let page: Page
  const problems: string[] = []
  beforeAll(async () => {
    page = await newPage(390, 844)
    page.on('pageerror', (error) => problems.push(error.message))
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
    page.on('request', (request) => {
      // An icon of the page itself is in its styles.
      if (!request.url().startsWith(serving.url)) problems.push('a request to another server')
    })
  })
  afterAll(() => page?.close())

  const section = (operation: string) => page.locator(`[id$="-${operation}"]`)
  async function execute(operation: string, body?: unknown): Promise<string> {
    const part = section(operation)
    await part.locator('.opblock-summary').first().click()
    if (body !== undefined) await part.locator('textarea').first().fill(JSON.stringify(body))
    await part.getByRole('button', { name: 'Execute' }).click()
    return (await part.locator('.live-responses-table').textContent()) ?? ''
  }

  it.runIf(inFull)('sends a request, and signs in the requests that follow', async () => {
    await page.goto(`${serving.url}/_docs/`)
    await page.locator('[data-tag=users]').click()
    await execute('authWithPasswordUsers', { identity: 'ann@example.com', password: 'secret1234' })
    const sent = page.waitForRequest(/users\/records/)
    const shown = await execute('listUsersRecords')
    expect((await (await sent).allHeaders()).authorization).toMatch(/^eyJ/)
    expect(shown).toContain('Ann')
    expect(problems).toEqual([])
  })

  // The operations that were just sent are open.
  it.runIf(inFull)('is not wider than a phone, nor is an operation with its responses', async () => {
    const width = await page.evaluate('document.documentElement.scrollWidth')
    expect(width).toBeLessThanOrEqual(390)
    const operations = await page.evaluate(
      `[...document.querySelectorAll('.opblock-body')].map((each) => each.scrollWidth - each.clientWidth)`,
    )
    expect(operations).toEqual([0, 0])
  })
})
