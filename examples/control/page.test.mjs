// Tests of a page in a browser, each with the data that it needs. They use playwright-core and a Chromium (CHROMIUM names it):
//
//   npm install --save-dev playwright-core
//   npx conformance serve --data data.json --control --exec 'node --test page.test.mjs'
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, beforeEach, test } from 'node:test'
import { chromium } from 'playwright-core'
import { connect } from 'record-auth-conformance/control'

const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(browserPath) ? false : `there is no browser at ${browserPath}`

/** The page of an application: lists posts. */
const page = `<!doctype html><ul></ul><p role="alert"></p><script>
fetch(${JSON.stringify(process.env.API_URL)} + '/collections/posts/records').then(async (response) => {
  if (!response.ok) throw new Error('Try again later.')
  for (const { title } of (await response.json()).items) {
    document.querySelector('ul').append(Object.assign(document.createElement('li'), { textContent: title }))
  }
}).catch(({ message }) => { document.querySelector('p').textContent = message })</script>`

const site = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
await new Promise((resolve) => site.listen(0, '127.0.0.1', resolve))
after(() => site.close())

const control = connect(process.env.CONTROL_URL)
beforeEach(() => control.reset())

test('the page shows the posts, and copes with a busy server', { skip }, async () => {
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  try {
    await control.addRecords({ posts: [{ title: 'First' }] })
    const tab = await browser.newPage()
    await tab.goto(`http://127.0.0.1:${site.address().port}`)
    await tab.getByText('First').waitFor()
    await control.fault({ match: 'listRecords', status: 503, times: 1 })
    await tab.reload()
    await tab.getByText('Try again later.').waitFor()
    const requests = await control.requests()
    assert.deepEqual(
      requests.map(({ status }) => status),
      [200, 503],
    )
  } finally {
    await browser.close()
  }
})
