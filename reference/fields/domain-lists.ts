/**
 * The options `onlyDomains` and `exceptDomains` of email and url fields, in definitions and in values.
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import type { FieldError } from '../vocabulary.ts'
import { fieldError } from './field-error.ts'
import type { DefinitionProblems } from './kind.ts'

interface DomainLists {
  onlyDomains: string[] | null
  exceptDomains: string[] | null
}

const empty = fieldError('validation_empty', 'Must be blank.')
const notADomain = fieldError('validation_is_domain', 'Must be a valid domain.')
const domain = /^(?:[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?$/i

/** Only one of the two lists may be set, and every entry must be a domain. */
export function inspectDomainLists({ onlyDomains, exceptDomains }: DomainLists): DefinitionProblems {
  if (onlyDomains?.length && exceptDomains?.length) return { onlyDomains: empty, exceptDomains: empty }
  const problems: Record<string, FieldError> = {}
  for (const [option, list] of Object.entries({ onlyDomains, exceptDomains })) {
    for (const [at, entry] of (list ?? []).entries()) {
      if (!domain.test(entry)) problems[`${option}.${at}`] = notADomain
    }
  }
  return problems
}

/** Whether a host passes both lists; strings are compared exactly. */
export function domainTest({ onlyDomains, exceptDomains }: DomainLists): (host: string) => boolean {
  const only = onlyDomains?.length ? new Set(onlyDomains) : undefined
  const except = new Set(exceptDomains ?? [])
  return (host) => (only ? only.has(host) : !except.has(host))
}

/** A domain that passes both lists. */
export function inventDomain({ onlyDomains, exceptDomains }: DomainLists, faker: Faker): string {
  if (onlyDomains?.length) return faker.helpers.arrayElement(onlyDomains)
  const free = ['example.com', 'example.org', 'example.net', 'test.example'].filter(
    (name) => !exceptDomains?.includes(name),
  )
  return faker.helpers.arrayElement(free)
}
