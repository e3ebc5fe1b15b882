/** Record ids (standard profile, gap `records.bodies`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat } from '../../../harness/judging/expect.ts'
import { newId } from '../../shared/records/new-id.ts'
import { recordOf } from '../../shared/records/record-of.ts'

check('record-id.generated', async ({ api, table, unique }) => {
  const ids: string[] = []
  for (const body of [{}, { id: null }, { id: '' }]) {
    const { id } = recordOf(await api.create(table('plain'), { title: unique('title'), ...body }))
    expectThat(
      /^[a-z0-9]{15}$/.test(id),
      `the id generated for ${JSON.stringify(body)} has another form`,
      '15 of a-z and 0-9',
      id,
    )
    ids.push(id)
  }
  expectEqual(new Set(ids).size, ids.length, 'the number of different ids')
})

check('record-id.given', async ({ api, table, unique }) => {
  const id = newId(unique)
  expectEqual(recordOf(await api.create(table('plain'), { id })).id, id, 'the id of the created record')
  expectEqual(recordOf(await api.view(table('plain'), id)).id, id, 'the id in a view')
  const digits = id.replace(/[a-z]/g, '1').replace(/^0/, '1')
  expectEqual(
    recordOf(await api.create(table('related'), { id: Number(digits) })).id,
    digits,
    'an id sent as a number',
  )
})

check('record-id.taken', async ({ api, table, rejects, unique }) => {
  const id = newId(unique)
  const title = unique('title')
  await rejects({
    control: () => api.create(table('plain'), { id, title }),
    attempt: () => api.create(table('plain'), { id, title: unique('other') }),
    status: 400,
    data: { id: 'validation_not_unique' },
  })
  expectEqual(
    recordOf(await api.view(table('plain'), id)).title,
    title,
    'title of the record that had the id first',
  )
})

check('record-id.malformed', async ({ api, table, rejects, unique }) => {
  const bad: [string, string][] = [
    [newId(unique).slice(1), 'validation_min_text_constraint'],
    [`${newId(unique)}a`, 'validation_max_text_constraint'],
    [`${newId(unique).slice(1)}_`, 'validation_invalid_format'],
    [`${newId(unique).slice(1)}A`, 'validation_invalid_format'],
  ]
  for (const [id, code] of bad) {
    await rejects({
      control: () => api.create(table('plain'), { id: newId(unique), title: unique('title') }),
      attempt: () => api.create(table('plain'), { id, title: unique('title') }),
      status: 400,
      data: { id: code },
    })
  }
})

check('record-id.fixed', async ({ api, table, make, rejects, unique }) => {
  const { id } = await make(table('plain'), { title: unique('title') })
  for (const other of [newId(unique), '', null]) {
    await rejects({
      control: () => api.update(table('plain'), id, { id }),
      attempt: () => api.update(table('plain'), id, { id: other }),
      status: 400,
      data: { id: 'validation_pk_change' },
    })
  }
})

check('record-id.forbidden-character', async ({ api, table, rejects, unique }) => {
  for (const character of './\\|"\'`<>:?*%$\t ') {
    const id = newId(unique)
    await rejects({
      control: () => api.create(table('unique'), { id }),
      attempt: () => api.create(table('unique'), { id: `${id.slice(1)}${character}x` }),
      status: 400,
      data: { id: 'validation_forbidden_pk_character' },
    })
  }
})

check('record-id.reserved', async ({ api, table, rejects, unique }) => {
  for (const id of ['con', 'AUX', 'Nul', 'com1', 'LPT9']) {
    const name = `${id}${newId(unique)}`
    await rejects({
      control: () => api.create(table('unique'), { id: name }),
      attempt: () => api.create(table('unique'), { id }),
      status: 400,
      data: { id: 'validation_reserved_pk' },
    })
  }
})

check('record-id.any-case', async ({ api, table, rejects, unique }) => {
  const id = `a${newId(unique).slice(1)}`
  await rejects({
    control: () => api.create(table('unique'), { id }),
    attempt: () => api.create(table('unique'), { id: id.toUpperCase() }),
    status: 400,
    data: { id: 'validation_pk_invalid' },
  })
})
