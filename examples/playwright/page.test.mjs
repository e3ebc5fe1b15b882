import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { createServer } from 'node:http'
import { after, test } from 'node:test'
import { chromium } from 'playwright-core'
import { createReference } from 'record-auth-conformance/reference'

const browserPath = process.env.CHROMIUM ?? '/usr/bin/chromium'
const skip = existsSync(browserPath) ? false : `there is no browser at ${browserPath}`

const reference = createReference({
  tables: [
    {
      name: 'posts',
      listRule: '',
      createRule: '',
      fields: [{ name: 'title', type: 'text', required: true }],
    },
  ],
  records: { posts: [{ title: 'First' }] },
})
const { url } = await reference.listen()
after(() => reference.close())

/** The page of an application: lists posts, adds one, and says when something went wrong. */
const page = `<!doctype html><ul></ul><input><button>Add</button><p role="alert"></p><script>
const posts = ${JSON.stringify(url)} + '/api/v1/collections/posts/records'
const [list, input, button, alert] = ['ul', 'input', 'button', 'p'].map((name) => document.querySelector(name))
async function show() {
  const { items } = await (await fetch(posts)).json()
  list.replaceChildren(...items.map(({ title }) => Object.assign(document.createElement('li'), { textContent: title })))
}
button.onclick = async () => {
  const body = JSON.stringify({ title: input.value })
  const response = await fetch(posts, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
  alert.textContent = response.ok ? '' : (await response.json()).data.title?.message ?? 'Try again later.'
  await show()
}
show()</script>`

async function serve() {
  const server = createServer((_, response) => response.setHeader('content-type', 'text/html').end(page))
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  return { address: `http://127.0.0.1:${server.address().port}`, stop: () => server.close() }
}

test('the page works on the reference, and copes with a busy server', { skip }, async () => {
  const site = await serve()
  const browser = await chromium.launch({ executablePath: browserPath, args: ['--no-sandbox'] })
  try {
    const tab = await browser.newPage()
    await tab.goto(site.address)
    await tab.getByText('First').waitFor()
    await tab.getByRole('button').click()
    await tab.getByText('Cannot be blank.').waitFor()
    await tab.getByRole('textbox').fill('Second')
    await tab.getByRole('button').click()
    await tab.getByText('Second').waitFor()
    assert.equal(reference.records.count('posts'), 2)
    reference.fault({ match: 'createRecord', status: 503, times: 1 })
    await tab.getByRole('button').click()
    await tab.getByText('Try again later.').waitFor()
  } finally {
    await browser.close()
    site.stop()
  }
})
