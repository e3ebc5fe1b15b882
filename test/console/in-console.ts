/**
 * The console page in a real browser, with what every test of it needs: a server with data of its own, a page, and the
 * rule that nothing goes wrong unnoticed. All tests of a file share the browser and the socket.
 *
 * @module
 */

import type { Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeEach, expect } from 'vitest'
import { servedSuperuser as superuser } from '../../scripts/support/served-superuser.ts'
import { createConsole } from '../../serve/console/create-console.ts'
import { readShape } from '../../serve/read-shape.ts'
import { type Serving, startServing } from '../../serve/serving.ts'
import { describeInBrowser, newPage } from '../support/shared-browser.ts'

/** What a record could hold to take the page over. */
export const hostile = '<img src=x onerror="document.title=`broken`"><script>document.title=`broken`</script>'

const plainRows = {
  users: [
    { id: 'ann', email: 'ann@example.com', password: 'secret1234', name: 'Ann' },
    { id: 'bo', email: 'bo@example.com', password: 'secret1234', name: 'Bo' },
  ],
  posts: Array.from({ length: 35 }, (_, at) => ({
    id: `post${at}`,
    title: at === 0 ? hostile : `Title ${at}`,
    userId: 'ann',
    published: '2024-01-02T10:00:00Z',
  })),
}

export interface ConsoleWorld {
  readonly page: Page
  readonly serving: Serving
  /** Asks the interface as an application would. A body makes it a POST. */
  api(path: string, body?: unknown, authorization?: string): Promise<Response>
  /** @param place after `/_/` */
  open(place: string): Promise<void>
  heading(name: string | RegExp): Promise<void>
  button(name: string): Locator
  row(text: string): Locator
  /** The test meant its rejected requests: what the browser logs about them is not a problem. */
  expectRefusals(): void
}

let serving: Serving | undefined
afterAll(() => serving?.close())

/** One server for all of them, whose data each test replaces. */
async function started(): Promise<Serving> {
  serving ??= await startServing({ data: readShape({}), seed: 7, superuser, handlers: [createConsole] })
  return serving
}

/** @param data in a form that `--data` takes; otherwise users and their posts */
export function inConsole(
  name: string,
  tests: (world: ConsoleWorld) => void,
  data: unknown = plainRows,
): void {
  describeInBrowser(`the console in Chromium: ${name}`, () => {
    let page: Page
    let serving: Serving
    let problems: string[]

    beforeEach(async () => {
      serving = await started()
      await serving.reload(readShape(data))
      serving.clock.reset()
      serving.exchanges.clear()
      page = await newPage(1280, 800)
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
      expect(problems).toEqual([])
      expect(title).not.toBe('broken')
    })

    tests({
      get page() {
        return page
      },
      get serving() {
        return serving
      },
      api: (path, body, authorization = '') =>
        fetch(`${serving.url}/api/v1/collections/${path}`, {
          headers: { 'content-type': 'application/json', authorization },
          ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
        }),
      async open(place) {
        const to = `${serving.url}/_/${place}`
        // The page before stays until the next is ready, and has a heading too.
        if (page.url() !== to)
          await page.evaluate(`document.querySelector('#main > *')?.classList.add('left')`)
        await page.goto(to)
        await page.locator('#main > :not(.left) h1').first().waitFor()
      },
      // The whole of a text: `Edit x` is not the heading `x` that comes once it is saved.
      heading: (name) => page.getByRole('heading', { level: 1, name, exact: true }).waitFor(),
      button: (name) => page.getByRole('button', { name, exact: true }),
      row: (text) => page.getByRole('row').filter({ hasText: text }),
      expectRefusals() {
        problems = problems.filter((text) => !/status of 40[04]/.test(text))
      },
    })
  })
}
