import { expect, it } from 'vitest'
import { isOfForm } from './form.ts'

it.each([
  ['record.created', true],
  ['list.shape', true],
  ['auth.response-token', true],
  ['wire.json-bodies', true],
  // How two values agree.
  ['record.updated-after-created', false],
  // Of the profile, or not a MUST.
  ['wire.schema', false],
  ['wire.no-5xx', false],
  ['no.such-requirement', false],
])('%s: %s', (id, is) => {
  expect(isOfForm(id)).toBe(is)
})
