/** Tables and records in the console: looked through, made, changed, deleted. */

import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { readShape } from '../../serve/read-shape.ts'
import { addServedTables } from '../../serve/replace-data.ts'
import { hostile, inConsole } from './in-console.ts'

inConsole('records', (world) => {
  it('leads from tables to records, filters, pages and follows relations; what records hold stays text', async () => {
    await world.open('')
    await world.heading('Tables')
    const table = world.page.getByRole('table', { name: 'Tables', exact: true })
    const firstRow = () => table.getByRole('row').nth(1).textContent()
    const records = table.getByRole('columnheader', { name: 'Records' })
    await world.button('Records').press('Enter')
    expect([await records.getAttribute('aria-sort'), await firstRow()]).toEqual([
      'ascending',
      expect.stringContaining('users'),
    ])
    // The header keeps the focus.
    await world.page.keyboard.press('Enter')
    expect([await records.getAttribute('aria-sort'), await firstRow()]).toEqual([
      'descending',
      expect.stringContaining('posts'),
    ])
    await world.page.getByRole('link', { name: 'posts' }).click()
    await world.heading('posts')
    await world.page.getByText('35 records, page 1 of 2').waitFor()
    await world.row(hostile.slice(0, 20)).waitFor()
    expect(await world.page.locator('main img, main script').count()).toBe(0)
    await world.page.getByRole('link', { name: 'Next' }).click()
    await world.page.getByText('page 2 of 2').waitFor()
    await world.page.getByLabel('Filter').fill('title ~ "Title 12"')
    await world.page.getByLabel('Filter').press('Enter')
    await world.page.getByText('1 record, page 1 of 1').waitFor()
    await world.page.getByRole('link', { name: 'post12' }).click()
    await world.heading(/post12/)
    await world.page.getByRole('link', { name: 'Ann', exact: true }).click()
    await world.heading(/ann/)
    await world.page.goBack()
    await world.page.goBack()
    await world.page.getByLabel('Filter').fill('nonsense (')
    await world.button('Show').click()
    await world.page.locator('.error').waitFor()
    world.expectRefusals()
  })

  it.runIf(inFull)('shows the label of what a relation points to, and opens files', async () => {
    const { page, serving } = world
    await world.open('#/tables/posts')
    await page
      .getByRole('row', { name: /^post1 / })
      .getByText('Ann', { exact: true })
      .waitFor()
    const fields = [
      { name: 'scan', type: 'file' as const },
      { name: 'secret', type: 'file' as const, protected: true },
    ]
    await addServedTables(serving, [{ name: 'letters', viewRule: '', fields }])
    const { id } = await serving.reference.records.create('letters', {
      scan: new File(['Dear reader'], 'letter.txt'),
      secret: new File(['psst'], 'secret.txt'),
    })
    await world.open(`#/tables/letters/${id}`)
    const link = page.getByRole('link', { name: /^letter_/ })
    const file = await fetch(new URL((await link.getAttribute('href')) ?? '', serving.url))
    expect(await file.text()).toBe('Dear reader')
    await page.getByText('protected').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: /^secret_/ }).click(),
    ])
    expect(await readFile(await download.path(), 'utf8')).toBe('psst')
    const opened = await fetch(download.url())
    expect([opened.status, opened.headers.get('access-control-allow-origin')]).toEqual([200, null])
    expect((await fetch(`${download.url()}x`)).status).toBe(404)
  })

  it.runIf(inFull)('works where superuserIPs excludes its address, and the interface does not', async () => {
    const { page, serving } = world
    const fields = [{ name: 'title', type: 'text' }]
    const superuserIPs = ['10.0.0.1']
    await serving.reload(readShape({ tables: [{ name: 'notes', fields }], settings: { superuserIPs } }))
    const { records, tokenFor } = serving.reference
    const note = await records.create('notes', { title: 'One' })
    await world.open('#/tables/notes')
    await world.row('One').waitFor()
    await world.open(`#/edit/notes/${note.id}`)
    await page.getByLabel('title', { exact: true }).fill('Two')
    await world.button('Save').click()
    await world.heading(note.id)
    expect(await records.find('notes', note.id)).toMatchObject({ title: 'Two' })
    const [superuser] = await records.list('_superusers')
    const token = await tokenFor('_superusers', superuser?.id ?? '')
    expect((await world.api('notes/records', undefined, token)).status).toBe(403)
  })

  it.runIf(inFull)('leads from a page that does not exist to the last one', async () => {
    const { page } = world
    await world.open('#/tables/posts?page=9')
    await page.getByText('There is no page 9.').waitFor()
    await page.getByText('35 records, 2 pages').waitFor()
    expect(await page.getByRole('link', { name: 'Next' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText('35 records, page 2 of 2').waitFor()
    await world.open('#/tables/users?page=9')
    await page.getByText('2 records, 1 page').waitFor()
    await page.getByRole('link', { name: 'Previous' }).click()
    await page.getByText('2 records, page 1 of 1').waitFor()
  })

  it('says why a filter or a sort is rejected, as the log does', async () => {
    const { page } = world
    for (const query of ['filter=titel%3D1', 'sort=-titel']) {
      await world.open(`#/tables/posts?${query}`)
      const reason = page.locator('.error').getByText('"titel". Did you mean "title"?')
      await expect(reason.waitFor()).resolves.toBeUndefined()
      world.expectRefusals()
    }
  })

  it.runIf(inFull)('sorts by a header, keeps the focus there, and says the order', async () => {
    const { page } = world
    await world.open('#/tables/posts')
    const rows = page.getByRole('region', { name: 'Records of posts' })
    const head = page.getByRole('columnheader', { name: 'title' })
    const button = head.getByRole('button')
    const first = () => rows.locator('tbody td').first().textContent()
    expect(await head.getAttribute('aria-sort')).toBeNull()
    await button.focus()
    for (const [order, expected] of [
      ['ascending', hostile],
      ['descending', 'Title 9'],
    ]) {
      await page.keyboard.press('Enter')
      await expect.poll(() => head.getAttribute('aria-sort')).toBe(order)
      await expect.poll(first).toBe(expected)
      expect(await page.evaluate('document.activeElement.dataset.keep')).toBe('sort title')
    }
    expect(await page.getByLabel('Sort', { exact: true }).inputValue()).toBe('-title')
    await page.keyboard.press('Enter')
    await expect.poll(() => head.getAttribute('aria-sort')).toBeNull()
    await page.goBack()
    await expect.poll(first).toBe('Title 9')
  })

  it('makes tokens that work, deletes records after asking, and resets', async () => {
    await world.open('#/tables/users/ann')
    await world.button('Create a token').click()
    const token = (await world.page.locator('.secret pre').textContent()) ?? ''
    expect((await world.api('users/auth-refresh', {}, token)).status).toBe(200)
    await world.button('Delete the record').click()
    await world.button('Cancel').click()
    expect((await world.api('users/records/ann')).status).toBe(200)
    await world.button('Delete the record').click()
    await world.button('Delete it').click()
    await world.heading('users')
    expect((await world.api('users/records/ann')).status).toBe(404)
    await world.page.getByRole('link', { name: 'Tables' }).first().click()
    await world.heading('Tables')
    await world.button('Reset the server').click()
    await world.button('Reset').click()
    await world.page.getByText('The server was reset').waitFor()
    expect((await world.api('users/records/ann')).status).toBe(200)
  })
})
