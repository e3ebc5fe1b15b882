import type { EmailDefinition } from '../../spec/table-definition.ts'
import { toText } from './cast.ts'
import { domainTest, inspectDomainLists } from './domain-lists.ts'
import { fieldError, required } from './field-error.ts'
import { isEmail } from './is-email.ts'
import type { FieldKind } from './kind.ts'

const notAnEmail = fieldError('validation_is_email', 'Must be a valid email address.')
const domainNotAllowed = fieldError('validation_email_domain_not_allowed', 'Email domain is not allowed.')

/** An address, kept in the letter case it came in. */
export const emailKind: FieldKind<EmailDefinition> = {
  type: 'email',
  defaults: { help: '', required: false, onlyDomains: null, exceptDomains: null },
  multiple: () => false,
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
}
