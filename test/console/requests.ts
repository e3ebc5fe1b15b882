/** The console's live requests with their findings. */

import { expect, it } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { hostile, inConsole } from './in-console.ts'

inConsole('requests', (world) => {
  it.runIf(inFull)('shows requests from before the page was opened', async () => {
    await world.api('posts/records?perPage=2')
    await world.open('#/requests')
    const verdict = world.row('/posts/records?perPage=2').getByText('✓ conforms')
    await expect(verdict.waitFor()).resolves.toBeUndefined()
  })

  it('shows requests live with their findings', async () => {
    await world.open('#/requests')
    await world.page.getByText('No requests yet').waitFor()
    await world.api('posts/records?perPage=1')
    await world.row('/posts/records?perPage=1').getByText('✓ conforms').waitFor()
    await world.api('posts/records/none')
    await world.row('/posts/records/none').getByText('404').waitFor()
    await world.row('/posts/records/none').getByText('Table "posts" has no record "none".').waitFor()
    await world.button('Status').click()
    expect(await world.page.getByRole('row').nth(1).textContent()).toContain('200')
    await world.button('Status').press('Enter')
    expect(await world.page.getByRole('row').nth(1).textContent()).toContain('404')
    await world.page.getByRole('link', { name: /records\/none/ }).click()
    await world.heading(/none/)
    await world.page.getByText('Table "posts" has no record "none".').waitFor()
    await world.page.getByRole('link', { name: 'All requests' }).click()
    // What a server that does not conform would answer.
    world.serving.exchanges.add({
      at: new Date().toISOString(),
      method: 'GET',
      path: '/api/v1/collections/posts/records/bad',
      operation: 'viewRecord',
      caller: 'anonymous',
      status: 200,
      duration: 1,
      request: { headers: {} },
      response: { headers: {}, body: '{"id":1}', size: 8 },
      findings: [
        {
          requirement: 'record.id',
          level: 'MUST',
          status: 'fail',
          statement: hostile,
          path: '$.id',
          expected: 'string',
          received: '1',
        },
      ],
    })
    await world.row('/bad').getByText('✗ 1 finding').waitFor()
    await world.page.getByLabel('Only with findings').check()
    expect(await world.page.getByRole('row').count()).toBe(2)
    await world.page.getByRole('link', { name: /bad/ }).click()
    await world.heading(/bad/)
    await world.page.getByText('record.id').waitFor()
    await world.page.getByRole('link', { name: 'All requests' }).click()
    await world.page.getByLabel('Search').fill('none 404')
    expect(await world.page.getByRole('row').count()).toBe(2)
    await world.button('Clear').click()
    await world.page.getByText('No requests yet').waitFor()
  })
})
