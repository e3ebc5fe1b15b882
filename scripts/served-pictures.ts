/**
 * Pictures of the pages that `conformance serve` has: the documentation with a request that was tried, and the parts of the
 * console, wide and narrow. `pictures.ts --views FOLDER` takes them.
 *
 * @module
 */

import { join } from 'node:path'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { createConsole } from '../serve/console/create-console.ts'
import { createDocs, findSwaggerUi } from '../serve/docs/create-docs.ts'
import { readShape } from '../serve/read-shape.ts'
import { type Serving, startServing } from '../serve/serving.ts'
import { openBrowser } from './support/browser.ts'
import { servedSuperuser as superuser } from './support/served-superuser.ts'

const rows = {
  users: [{ id: 'ann', email: 'ann@example.com', password: 'secret1234', name: 'Ann' }],
  posts: Array.from({ length: 12 }, (_, at) => ({
    id: `post${at}`,
    title: `A title of usual length, number ${at}`,
    userId: 'ann',
    published: '2024-01-02T10:00:00Z',
  })),
}
const screens: Readonly<Record<string, BrowserContextOptions>> = {
  'wide-light': { viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  'wide-dark': { viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  'narrow-light': { viewport: { width: 390, height: 844 }, colorScheme: 'light' },
  'narrow-dark': { viewport: { width: 390, height: 844 }, colorScheme: 'dark' },
}
const parts = ['tables', 'tables/posts', 'mail', 'requests', 'realtime', 'keys', 'clock']

export async function takeServedPictures(folder: string): Promise<void> {
  const swaggerUi = findSwaggerUi()
  const serving = await startServing({
    data: readShape(rows),
    seed: 7,
    superuser,
    handlers: [createConsole, ...(swaggerUi === undefined ? [] : [createDocs(swaggerUi)])],
  })
  try {
    await sendSome(serving)
    for (const [screen, options] of Object.entries(screens)) {
      const { context, close } = await openBrowser(options)
      try {
        const page = await context.newPage()
        const take = (name: string) => page.screenshot({ path: join(folder, `${name}-${screen}.png`) })
        await takeConsole(page, serving.url, take)
        // Swagger UI has one color scheme.
        if (swaggerUi !== undefined && options.colorScheme === 'light')
          await takeDocs(page, serving.url, take)
      } finally {
        await close()
      }
    }
  } finally {
    await serving.close()
  }
}

type Take = (name: string) => Promise<unknown>

/** Requests and an email for the console to show. */
async function sendSome({ url }: Serving): Promise<void> {
  const api = `${url}/api/v1/collections`
  const post = (path: string, body: unknown) =>
    fetch(`${api}/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  await fetch(`${api}/posts/records?perPage=2&sort=-title`)
  await fetch(`${api}/posts/records?filter=nothing~`)
  await post('users/auth-with-password', { identity: 'ann@example.com', password: 'secret1234' })
  await post('users/request-otp', { email: 'ann@example.com' })
  await post('users/request-verification', { email: 'ann@example.com' })
}

async function takeConsole(page: Page, url: string, take: Take): Promise<void> {
  for (const part of parts) {
    await page.goto(`${url}/_/#/${part}`)
    // The page before stays until the next is ready.
    await page.reload()
    await page.locator('#main h1').first().waitFor()
    await take(`console-${part.replace('/', '-')}`)
  }
}

async function takeDocs(page: Page, url: string, take: Take): Promise<void> {
  await page.goto(`${url}/_docs/`)
  await page.locator('[data-tag=posts]').waitFor()
  await take('docs')
  await page.locator('[data-tag=posts]').click()
  const list = page.locator('[id$="-listPostsRecords"]')
  await list.locator('.opblock-summary').first().click()
  await list.getByRole('button', { name: 'Execute' }).scrollIntoViewIfNeeded()
  await take('docs-parameters')
  await list.getByRole('button', { name: 'Execute' }).click()
  await list.locator('.live-responses-table').waitFor()
  await list.locator('.live-responses-table').scrollIntoViewIfNeeded()
  await take('docs-tried')
  await list.locator('.responses-table tr.response').nth(2).scrollIntoViewIfNeeded()
  await take('docs-responses')
}
