import { describe, expect, it } from 'vitest'
import { differsAfterUpdate, differsAtAll, differsFromBody, TableModel } from './table-model.ts'

const before = { id: 'r1', text: 'x', json: { a: [1] }, stamp: '1', updated: '1', password: '' }

describe('the model of a record', () => {
  it('demands of a created record only what was sent', () => {
    expect(differsFromBody({ id: 'r1', text: 'x', number: 0 }, { text: 'x', password: 'secret' })).toEqual([])
    expect(differsFromBody({ id: 'r1', text: 'y' }, { text: 'x' })).toEqual([
      { field: 'text', expected: 'x', received: 'y' },
    ])
  })

  it('lets only sent fields and moving times change with an update', () => {
    expect(
      differsAfterUpdate({ ...before, text: 'y', stamp: '2', updated: '2' }, before, {
        text: 'y',
        password: 'new',
      }),
    ).toEqual([])
    // Of a field that the server has by the name of one of ours.
    expect(differsAfterUpdate({ ...before, touched: '2' }, { ...before, touched: '1' }, {})).toEqual([])
    expect(differsAfterUpdate({ ...before, created: '2' }, { ...before, created: '1' }, {})).toHaveLength(1)
    expect(differsAfterUpdate({ ...before, json: { a: [1, 2] } }, before, { text: 'x' })).toHaveLength(1)
    expect(differsAfterUpdate({ ...before, number: 1 }, before, {})).toEqual([
      { field: 'number', expected: undefined, received: 1 },
    ])
    expect(differsAfterUpdate({ ...before, version: 2 }, { ...before, version: 1 }, {})).toEqual([])
    const { json: _, ...lost } = before
    expect(differsAfterUpdate(lost, before, {})).toHaveLength(1)
  })

  it('lets nothing change where nothing was asked', () => {
    expect(differsAtAll({ ...before }, before)).toEqual([])
    expect(differsAtAll({ ...before, updated: '2' }, before)).toHaveLength(1)
  })

  it('knows who lives', () => {
    const model = new TableModel()
    expect(model.pick(3)).toBeUndefined()
    model.put(before)
    model.put({ ...before, id: 'r2' })
    expect(model.pick(3)?.id).toBe('r2')
    model.remove('r1')
    expect([...model.live.keys()]).toEqual(['r2'])
    expect(model.isGone(before)).toBe(true)
    expect(model.isGone({ ...before, id: 'r2' })).toBe(false)
    // Ids of this length may be given again.
    expect(model.isGone({ ...before, text: 'another one' })).toBe(false)
  })
})
