/** Records created and changed in the console: a control for each field type, and errors next to their fields. */

import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { inConsole } from './in-console.ts'

const everything = {
  tables: [
    { name: 'people', type: 'auth', fields: [{ name: 'name', type: 'text' }] },
    {
      name: 'things',
      fields: [
        { name: 'title', type: 'text', required: true, max: 20 },
        { name: 'body', type: 'editor' },
        { name: 'amount', type: 'number', min: 1, onlyInt: true },
        { name: 'done', type: 'bool' },
        { name: 'contact', type: 'email' },
        { name: 'site', type: 'url' },
        { name: 'due', type: 'date' },
        { name: 'state', type: 'select', values: ['open', 'closed'] },
        { name: 'tags', type: 'select', values: ['a', 'b', 'c'], maxSelect: 3 },
        { name: 'extra', type: 'json' },
        { name: 'owner', type: 'relation', collectionId: 'people00000000a' },
        { name: 'others', type: 'relation', collectionId: 'people00000000a', maxSelect: 9 },
        { name: 'place', type: 'geoPoint' },
        { name: 'paper', type: 'file' },
        { name: 'papers', type: 'file', maxSelect: 5 },
        { name: 'made', type: 'autodate', onCreate: true },
      ],
    },
  ].map((table) => (table.name === 'people' ? { id: 'people00000000a', ...table } : table)),
  records: {
    people: [
      { id: 'person000000001', email: 'ann@example.com', password: 'secret1234', name: 'Ann' },
      { id: 'person000000002', email: 'bo@example.com', password: 'secret1234', name: 'Bo' },
    ],
    things: [{ id: 'thing0000000001', title: 'Old\nin two lines', amount: 4, tags: ['a', 'b'] }],
  },
}
const text = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) })

inConsole(
  'making and changing records',
  (world) => {
    const stored = (table: string, id: string) => world.serving.reference.records.find(table, id)
    const field = (name: string) => world.page.getByLabel(name, { exact: true })
    /** Searches records, and chooses the only one that is found by keyboard. */
    const pick = async (name: string, search: string, label: string) => {
      await field(name).click()
      await field(name).fill(search)
      const options = world.page.getByRole('listbox').getByRole('option')
      await expect.poll(() => options.allTextContents()).toEqual([label])
      await field(name).press('Enter')
      await world.page
        .getByRole('list', { name: `Chosen for ${name}` })
        .getByText(label)
        .waitFor()
    }

    it('makes a record out of every field type, files included', async () => {
      const { page } = world
      await world.open('#/tables/things')
      await page.getByRole('link', { name: 'New record' }).click()
      await world.heading('New record of things')
      expect([await field('made').count(), await field('extra').inputValue()]).toEqual([0, ''])
      await field('id').fill('thing0000000002')
      await field('title').fill('A title')
      await field('body').fill('<p>one</p>\n<p>two</p>')
      await field('amount').fill('12')
      await field('done').check()
      await field('contact').fill('a@example.com')
      await field('site').fill('https://example.com')
      await field('due').fill('2030-01-31T12:00')
      await field('state').selectOption('closed')
      await field('b').check()
      await field('c').check()
      await field('extra').fill('{"deep": [1, null]}')
      await pick('owner', 'ann', 'Ann person000000001')
      await pick('others', 'person000000002', 'Bo person000000002')
      await pick('others', '', 'Ann person000000001')
      await field('lon').fill('12.5')
      await field('lat').fill('-3')
      await field('New file for paper').setInputFiles(text('one.txt'))
      await field('New file for papers').setInputFiles([text('two.txt'), text('three.txt')])
      await world.button('Create').click()
      await world.heading('thing0000000002')
      expect(await stored('things', 'thing0000000002')).toMatchObject({
        title: 'A title',
        body: '<p>one</p>\n<p>two</p>',
        amount: 12,
        done: true,
        contact: 'a@example.com',
        site: 'https://example.com',
        due: '2030-01-31 12:00:00.000Z',
        state: 'closed',
        tags: ['b', 'c'],
        extra: { deep: [1, null] },
        owner: 'person000000001',
        others: ['person000000002', 'person000000001'],
        place: { lon: 12.5, lat: -3 },
        paper: expect.stringMatching(/^one_.*\.txt$/),
        papers: [expect.stringMatching(/^two_/), expect.stringMatching(/^three_/)],
      })
      // Requests of the console are not traffic of the application.
      expect(world.serving.reference.requests.length).toBe(0)
    })

    it.runIf(inFull)(
      'says what is refused beside its field, keeps what was written, and lets it be corrected',
      async () => {
        const { page } = world
        await world.open('#/new/things')
        await field('title').fill('far longer than twenty characters')
        await field('amount').fill('0.5')
        await pick('owner', 'bo@example', 'Bo person000000002')
        await world.serving.reference.records.delete('people', 'person000000002')
        await field('extra').fill('{"open": ')
        await world.button('Create').click()
        await page.getByText('This is not JSON').waitFor()
        expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('extra')
        await field('extra').fill('{}')
        await world.button('Create').click()
        await page.getByRole('alert').getByText('Not saved: correct 3 fields.').waitFor()
        world.expectRefusals()
        expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('title')
        for (const name of ['title', 'amount', 'owner']) {
          expect(await field(name).getAttribute('aria-invalid')).toBe('true')
          const described = (await field(name).getAttribute('aria-describedby')) ?? ''
          const [problem = ''] = described.split(' ').filter((id) => id.startsWith('problem'))
          expect(await page.locator(`#${problem}`).textContent()).not.toBe('')
        }
        expect(await field('extra').getAttribute('aria-invalid')).toBeNull()
        expect(await field('title').inputValue()).toBe('far longer than twenty characters')
        await field('title').fill('Short')
        await field('amount').fill('3')
        await world.button('Remove Bo').click()
        await field('title').press('Control+Enter')
        await world.heading(/^[a-z0-9]{15}$/)
        expect(world.serving.reference.records.count('things')).toBe(2)
      },
    )

    it.runIf(inFull)(
      'finds empty fields with those that it cannot read, and leads to the first of all',
      async () => {
        const { page } = world
        await world.open('#/new/things')
        await field('extra').fill('{"open": ')
        await world.button('Create').click()
        await page.getByRole('alert').getByText('Not saved: correct 2 fields.').waitFor()
        expect(await page.evaluate('document.activeElement.labels[0].textContent')).toBe('title')
        await world.open('#/edit/things/thing0000000001')
        await field('extra').fill('{"open": ')
        await world.button('Save').click()
        await page.getByRole('alert').getByText('Not saved: correct one field.').waitFor()
      },
    )

    it.runIf(inFull)('says why a search for a relation is rejected', async () => {
      await world.open('#/new/things')
      await field('owner').fill('long '.repeat(800))
      const reason = world.page.getByRole('status').getByText('longer than 3500 bytes')
      await expect(reason.waitFor()).resolves.toBeUndefined()
      world.expectRefusals()
    })

    it.runIf(inFull)(
      'sends only what was changed: line breaks, values of others and passwords stay',
      async () => {
        const { page, serving } = world
        await world.open('#/tables/things/thing0000000001')
        await page.getByRole('link', { name: 'Edit the record' }).click()
        await world.heading('Edit thing0000000001')
        await serving.reference.records.update('things', 'thing0000000001', { state: 'open' })
        await field('a').uncheck()
        await field('amount').fill('')
        await field('New file for papers').setInputFiles([text('two.txt'), text('three.txt')])
        await world.button('Save').click()
        await world.heading('thing0000000001')
        const changed = await stored('things', 'thing0000000001')
        expect(changed).toMatchObject({ title: 'Old\nin two lines', state: 'open', tags: ['b'], amount: 0 })
        const [two = '', three = ''] = (changed?.papers ?? []) as string[]
        await page.getByRole('link', { name: 'Edit the record' }).click()
        await field(`Remove ${two}`).check()
        await field('New file for papers').setInputFiles([text('four.txt')])
        await world.button('Save').click()
        await world.heading('thing0000000001')
        expect((await stored('things', 'thing0000000001'))?.papers).toEqual([
          three,
          expect.stringMatching(/^four_/),
        ])
      },
    )

    it('makes accounts that can sign in, and changes their passwords', async () => {
      const { page } = world
      const signIn = async (password: string) =>
        (await world.api('people/auth-with-password', { identity: 'cy@example.com', password })).status
      await world.open('#/new/people')
      await field('email').fill('cy@example.com')
      await field('password').fill('short')
      await world.button('Create').click()
      await page.getByRole('alert').getByText('Not saved: correct one field.').waitFor()
      world.expectRefusals()
      await field('password').fill('long-enough-1')
      await field('verified').check()
      await world.button('Create').click()
      await world.heading(/^[a-z0-9]{15}$/)
      expect(await signIn('long-enough-1')).toBe(200)
      await page.getByRole('link', { name: 'Edit the record' }).click()
      await field('name').fill('Cy')
      await world.button('Save').click()
      await page.getByText('Saved', { exact: true }).waitFor()
      expect(await signIn('long-enough-1')).toBe(200)
      await page.getByRole('link', { name: 'Edit the record' }).click()
      await field('password').fill('another-one-2')
      await world.button('Save').click()
      await world.heading(/^[a-z0-9]{15}$/)
      expect(await signIn('another-one-2')).toBe(200)
    })

    it.runIf(inFull)('fits a narrow window, whatever the types of the fields are', async () => {
      await world.page.setViewportSize({ width: 360, height: 700 })
      await world.open('#/edit/things/thing0000000001')
      expect(await world.page.evaluate('document.documentElement.scrollWidth')).toBe(360)
    })

    it.runIf(inFull)(
      'says so when the record is gone, and changes nothing when nothing was changed',
      async () => {
        const { page, serving } = world
        await world.open('#/edit/things/thing0000000001')
        const before = await stored('things', 'thing0000000001')
        await world.button('Save').click()
        await page.getByText('Nothing has changed').waitFor()
        expect(await stored('things', 'thing0000000001')).toEqual(before)
        await page.getByRole('link', { name: 'Edit the record' }).click()
        await field('title').fill('Too late')
        await serving.reference.records.delete('things', 'thing0000000001')
        const complaints: string[] = []
        page.on('console', (message) => complaints.push(message.text()))
        await world.button('Save').click()
        await page
          .getByRole('alert')
          .getByText(/Not saved\. .*found/)
          .waitFor()
        expect(complaints.join()).toMatch(/status of 404/)
        world.expectRefusals()
      },
    )
  },
  everything,
)
