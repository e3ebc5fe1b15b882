/** Unique indexes (standard profile, gap `records.bodies`). */

import { check } from '../../../harness/check.ts'
import { expectEqual, expectThat, objectBody } from '../../../harness/judging/expect.ts'
import { recordOf } from '../../shared/records/record-of.ts'

const TAKEN = 'validation_not_unique'

check('unique.value', async ({ api, table, rejects, unique }) => {
  const code = unique('code')
  await rejects({
    control: () => api.create(table('unique'), { code }),
    attempt: () => api.create(table('unique'), { code }),
    status: 400,
    data: { code: TAKEN },
  })
})

check('unique.on-update', async ({ api, table, rejects, unique }) => {
  const [mine, theirs] = [unique('mine'), unique('theirs')]
  const { id } = recordOf(await api.create(table('unique'), { code: mine }))
  recordOf(await api.create(table('unique'), { code: theirs }))
  await rejects({
    control: () => api.update(table('unique'), id, { code: mine }),
    attempt: () => api.update(table('unique'), id, { code: theirs }),
    status: 400,
    data: { code: TAKEN },
  })
  expectEqual(recordOf(await api.view(table('unique'), id)).code, mine, 'code after a rejected update')
})

check('unique.composite', async ({ api, table, rejects, unique }) => {
  const grp = unique('grp')
  recordOf(await api.create(table('unique'), { grp, slot: 1 }))
  const response = await rejects({
    control: () => api.create(table('unique'), { grp, slot: 2 }),
    attempt: () => api.create(table('unique'), { grp, slot: 1 }),
    status: 400,
    data: { grp: TAKEN, slot: TAKEN },
  })
  expectEqual(
    Object.keys(objectBody(response).data as object).sort(),
    ['grp', 'slot'],
    'the fields with errors',
  )
  recordOf(
    await api.create(table('unique'), { grp: unique('grp'), slot: 1 }),
    'a create that shares the second field only',
  )
})

check('unique.partial', async ({ api, table }) => {
  recordOf(await api.create(table('unique'), { code: '', grp: '', slot: 7 }))
  const second = await api.create(table('unique'), { code: '', grp: '', slot: 7 })
  expectEqual(
    recordOf(second, 'a second create outside the condition of the index').slot,
    7,
    'slot of the second record',
  )
})

check('unique.exact-case', async ({ api, table, unique }) => {
  const code = unique('code')
  recordOf(await api.create(table('unique'), { code }))
  const other = await api.create(table('unique'), { code: code.toUpperCase() })
  expectEqual(
    recordOf(other, 'a create with the value in capitals').code,
    code.toUpperCase(),
    'the value in capitals',
  )
})

check('unique.any-case', async ({ api, table, rejects, unique }) => {
  const nick = unique('nick')
  await rejects({
    control: () => api.create(table('unique'), { nick }),
    attempt: () => api.create(table('unique'), { nick: nick.toUpperCase() }),
    status: 400,
    data: { nick: TAKEN },
  })
  const umlaut = unique('ä')
  recordOf(await api.create(table('unique'), { nick: umlaut }))
  const other = await api.create(table('unique'), { nick: umlaut.replace('ä', 'Ä') })
  expectThat(other.ok, 'letter cases outside ASCII were treated as equal', 'success', other.text)
})

check('unique.freed', async ({ api, table, rejects, unique }) => {
  const [code, alias] = [unique('code'), unique('alias')]
  const { id } = recordOf(await api.create(table('unique'), { code, alias }))
  await rejects({
    control: () => api.update(table('unique'), id, { code: unique('other') }),
    attempt: () => api.create(table('unique'), { alias }),
    status: 400,
    data: { alias: TAKEN },
  })
  recordOf(await api.create(table('unique'), { code }), 'a create with a value that an update released')
  await api.delete(table('unique'), id)
  recordOf(await api.create(table('unique'), { alias }), 'a create with a value of a deleted record')
})
