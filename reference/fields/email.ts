/**
 * The field type `email` (contract-records 3.2).
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import { toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { domainTest, inspectDomainLists, inventDomain } from './domain-lists.ts'
import { fieldError, required } from './field-error.ts'
import { isEmail } from './is-email.ts'
import type { FieldKind } from './kind.ts'
import { textForm } from './value-form.ts'

const notAnEmail = fieldError('validation_is_email', 'Must be a valid email address.')
const domainNotAllowed = fieldError('validation_email_domain_not_allowed', 'Email domain is not allowed.')
/** A row value counts as an email if its domain could receive emails. */
const plainEmail = /^[^\s@<>()]+@[^\s@]+\.[a-z]{2,}$/i

/** An email address, stored in its original letter case. */
export const emailKind: FieldKind<'email'> = {
  defaults: { help: '', required: false, onlyDomains: null, exceptDomains: null },
  column: textColumn,
  inspect: inspectDomainLists,
  bind({ definition }) {
    const allows = domainTest(definition)
    return {
      zero: '',
      accept: toText,
      modifiers: {},
      check(value) {
        const text = toText(value)
        if (text === '') return definition.required ? required : undefined
        if (!isEmail(text)) return notAnEmail
        return allows(text.slice(text.lastIndexOf('@') + 1)) ? undefined : domainNotAllowed
      },
      render: toText,
    }
  },
  invent: ({ definition }, { faker }) => `${inventLocalPart(faker)}@${inventDomain(definition, faker)}`,
  form: textForm,
  infers: (value) => typeof value === 'string' && plainEmail.test(value),
  control: () => ({ as: 'line', input: 'email' }),
}

/** Digits are added, since names alone would repeat more often. */
function inventLocalPart(faker: Faker): string {
  const name = faker.internet
    .username()
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '')
  return `${name.replace(/^\.+|\.+$/g, '') || 'user'}${faker.number.int({ min: 10, max: 9999 })}`
}
