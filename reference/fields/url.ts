/**
 * The field type `url` (contract-records 3.2).
 *
 * @module
 */

import { toText } from './cast.ts'
import { textColumn } from './columns.ts'
import { domainTest, inspectDomainLists, inventDomain } from './domain-lists.ts'
import { fieldError, required } from './field-error.ts'
import { hostOf, isUrl } from './is-url.ts'
import type { FieldKind } from './kind.ts'
import { textForm } from './value-form.ts'

const notAUrl = fieldError('validation_invalid_url', 'Must be a valid url.')
const domainNotAllowed = fieldError('validation_url_domain_not_allowed', 'Url domain is not allowed.')

/** A web address, with or without a scheme. */
export const urlKind: FieldKind<'url'> = {
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
        if (!isUrl(text)) return notAUrl
        return allows(hostOf(text)) ? undefined : domainNotAllowed
      },
      render: toText,
    }
  },
  invent: ({ definition }, { faker }) => `https://${inventDomain(definition, faker)}/${faker.lorem.slug(2)}`,
  form: textForm,
  infers: (value) => typeof value === 'string' && /^https?:\/\/[^\s/]+\.[^\s]+$/.test(value),
  control: () => ({ as: 'line', input: 'url' }),
}
