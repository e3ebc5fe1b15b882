import { describe, expect, it } from 'vitest'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'
import {
  type BatchSnapshot,
  FAILURES,
  failingRequests,
  plainWorld,
  planSteps,
  type Step,
} from './batch-steps.ts'

const path = {
  records: (table: { name: string } | string) => `/r/${typeof table === 'string' ? table : table.name}`,
  record: (table: { name: string }, id: string) => `/r/${table.name}/${id}`,
}
const context = { api: { path }, table: (role: string) => ({ role, name: role }) } as unknown as CheckContext
const before: BatchSnapshot = new Map([
  ['plain/a', { id: 'a', title: 'm parent' }],
  ['plain/b', { id: 'b', title: 'm b' }],
])
const step = (does: Step['does'], choice = 0): Step => ({ does, role: 'plain', choice, number: 7 })

const free = { spare: () => false, once: false, world: plainWorld }

describe('the plan of a batch', () => {
  it('returns what each step must lead to', () => {
    const { requests, created, updated, deleted } = planSteps(
      context,
      [step('create'), step('update', 1), step('delete', 0)],
      before,
      'm',
      free,
    )
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /r/plain',
      'PATCH /r/plain/b',
      'DELETE /r/plain/a',
    ])
    expect([...created.keys()]).toEqual(['plain/m 0 7'])
    expect(updated.get('plain/b')).toEqual({ title: 'm 1 7' })
    expect([...deleted]).toEqual(['plain/a'])
  })

  it('never aims at what it deleted, and creates where nothing is left', () => {
    const { requests, updated, deleted } = planSteps(
      context,
      [step('update'), step('delete'), step('delete'), step('update')],
      before,
      'm',
      free,
    )
    expect(requests.map(({ method }) => method)).toEqual(['PATCH', 'DELETE', 'DELETE', 'POST'])
    expect([updated.size, deleted.size]).toEqual([0, 2])
  })

  it('aims at no record twice where a batch may not', () => {
    const steps = [step('update', 1), step('update', 1), step('update', 0)]
    const { requests } = planSteps(context, steps, before, 'm', { ...free, once: true })
    expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'PATCH /r/plain/b',
      'PATCH /r/plain/a',
      'POST /r/plain',
    ])
  })

  it('creates where the world allows nothing else, with the fields of a create', () => {
    const world = {
      ...plainWorld,
      allows: ({ does }: Step) => does === 'create',
      fields: ({ does }: Step) => ({ rank: does === 'create' ? 1 : 2 }),
    }
    const { requests } = planSteps(context, [step('update'), step('delete')], before, 'm', { ...free, world })
    expect(requests.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { title: 'm 0 7', rank: 1 }],
      ['POST', { title: 'm 1 7', rank: 1 }],
    ])
  })

  it('spares records that must stay', () => {
    const spare = (key: string) => key === 'plain/a'
    const { deleted } = planSteps(context, [step('delete', 0), step('delete', 1)], before, 'm', {
      ...free,
      spare,
    })
    expect([...deleted]).toEqual(['plain/b'])
  })

  it('has at least one sub-request for every way to fail', () => {
    for (const kind of FAILURES) expect(failingRequests(context, kind, 'm').length).toBeGreaterThan(0)
  })
})
