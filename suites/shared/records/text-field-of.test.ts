import { expect, it } from 'vitest'
import { definedFieldsOf, loadTables } from '../../../spec/tables.ts'
import { textFieldOf } from './text-field-of.ts'

it('returns the fields of each role', () => {
  for (const { role, definition } of loadTables()) expect(definedFieldsOf(role)).toEqual(definition.fields)
  expect(definedFieldsOf('nosuchrole')).toEqual([])
})

it('finds the first text field of each role, which is not the id', () => {
  const roles = ['plain', 'related', 'everything', 'cascading', 'loose', 'unique', 'members']
  expect(roles.map(textFieldOf)).toEqual(['title', 'name', 'text', 'label', 'label', 'code', 'name'])
  expect(() => textFieldOf('nosuchrole')).toThrow('has no text field')
})
