import { expect, it } from 'vitest'
import { madeUpRequirement } from '../../test/support/made-up-requirement.ts'
import type { TableRef, Target } from '../vocabulary/target.ts'
import { declaredAbsence, type Gated, gate, missingRole } from './gate.ts'

const about = { ...madeUpRequirement('needs.relation'), needs: ['relation' as const] }
const target = (roles: readonly string[], absentTables: readonly string[] = []) =>
  ({
    capabilities: {},
    absentTables,
    tables: Object.fromEntries(roles.map((role): [string, TableRef] => [role, { role, name: role }])),
  }) as unknown as Target
const gated = (given: Target) =>
  gate(about, { target: given, closed: new Map(), options: {} } as unknown as Gated)

it.each([[['related']], [['child', 'parent']], [['related', 'child', 'parent']]])(
  'a relation is there with %s',
  (roles) => {
    expect(gated(target(roles))).toBeUndefined()
    expect(missingRole('relation', target(roles))).toBeUndefined()
  },
)

it('a relation that is missing is untestable, with the lines that name one', () => {
  expect(gated(target(['plain', 'child']))).toMatchObject({
    status: 'untestable',
    hint: expect.stringMatching(/"parent": .*"child": .*"related": false/),
  })
  expect(missingRole('relation', target(['plain']))).toBe('related')
})

it('a relation is absent if no table is related to itself, unless two others replace it', () => {
  expect(declaredAbsence(about, target([], ['related']))).toContain('no table with the role "related"')
  expect(declaredAbsence(about, target(['child', 'parent'], ['related']))).toBeUndefined()
})

it('a second auth table may have another role than `staff`, and is absent only if there is none', () => {
  const needsSecond = madeUpRequirement('needs.second', { needs: ['second-auth-table'] })
  const gateWith = (given: Target) =>
    gate(needsSecond, { target: given, closed: new Map(), options: {} } as unknown as Gated)
  for (const role of ['staff', 'named', 'mfa']) {
    expect(gateWith(target(['members', role]))).toBeUndefined()
    expect(missingRole('second-auth-table', target(['members', role]))).toBeUndefined()
  }
  expect(declaredAbsence(needsSecond, target(['members', 'mfa'], ['staff']))).toBeUndefined()
  expect(declaredAbsence(needsSecond, target(['members'], ['staff']))).toContain('the role "staff"')
  expect(gateWith(target(['members']))).toMatchObject({ status: 'untestable' })
  const tables = { members: { role: 'members', name: 'people' }, mfa: { role: 'mfa', name: 'people' } }
  expect(gateWith({ ...target([]), tables })).toMatchObject({ status: 'untestable' })
  const same = { members: tables.members, staff: { role: 'staff', name: 'people' } }
  expect(gateWith({ ...target([]), tables: same })).toMatchObject({
    message: 'the target has no auth table other than that of "members"',
  })
})

it('a method that is not reported is untestable, with the line that names its key', () => {
  const needsMfa = madeUpRequirement('needs.mfa', { needs: ['capability:mfa'] })
  const session = {
    target: target([]),
    closed: new Map(),
    options: {},
    smoke: { capabilities: { mfa: false } },
  }
  expect(gate(needsMfa, session as unknown as Gated)).toMatchObject({
    status: 'untestable',
    hint: expect.stringContaining('"binding": { "methods.mfa": "<key>" }'),
  })
})

it('a table for superusers is untestable where an account sends the requests of guests to it', () => {
  const needsLocked = madeUpRequirement('needs.locked', { needs: ['table:locked'] })
  const tables = {
    plain: { role: 'plain', name: 'deals', as: 'account' },
    locked: { role: 'locked', name: 'deals' },
  }
  const gateWith = (given: Record<string, TableRef>) =>
    gate(needsLocked, {
      target: { ...target([]), tables: given },
      closed: new Map(),
      options: {},
    } as unknown as Gated)
  expect(gateWith(tables)).toMatchObject({
    status: 'untestable',
    message: expect.stringMatching(/^deals has the role "plain" as well, .* as "account"/),
  })
  expect(gateWith({ ...tables, locked: { role: 'locked', name: 'vault' } })).toBeUndefined()
})
