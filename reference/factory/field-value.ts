/**
 * Made-up values that a field takes, by its type and options.
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import type {
  DateDefinition,
  EditorDefinition,
  EmailDefinition,
  FileDefinition,
  JsonDefinition,
  NumberDefinition,
  PasswordDefinition,
  SelectDefinition,
  TextDefinition,
  UrlDefinition,
} from '../../spec/table-definition.ts'
import { compileGenerator } from '../fields/generate-pattern.ts'
import { kindOf } from '../fields/registry.ts'
import type { Environment, Field } from '../vocabulary.ts'
import { sampleFile } from './sample-file.ts'
import { textValue } from './text-value.ts'

/** What a value is made with. */
export interface Making {
  faker: Faker
  environment: Environment
  /** Table and field, for messages. */
  place: string
}

/** The password of every account that is made, where its field takes it. */
const usualPassword = 'password1234'

const year = 365 * 24 * 3600 * 1000

function domainFor({ onlyDomains, exceptDomains }: EmailDefinition | UrlDefinition, faker: Faker): string {
  if (onlyDomains?.length) return faker.helpers.arrayElement(onlyDomains)
  const free = ['example.com', 'example.org', 'example.net', 'test.example'].filter(
    (domain) => !exceptDomains?.includes(domain),
  )
  return faker.helpers.arrayElement(free)
}

/** Half a letter either way: a local part keeps addresses apart better than a name alone. */
function localPart(faker: Faker): string {
  const name = faker.internet
    .username()
    .toLowerCase()
    .replace(/[^a-z0-9.]/g, '')
  return `${name.replace(/^\.+|\.+$/g, '') || 'user'}${faker.number.int({ min: 10, max: 9999 })}`
}

function numberValue({ min, max, onlyInt, required }: Required<NumberDefinition>, making: Making): number {
  const { faker, place } = making
  const least = min ?? Math.min(onlyInt ? 1 : 0.5, max ?? 1)
  const most = max ?? Math.max(least, 0) + 1000
  const draw = () => {
    if (onlyInt) return faker.number.int({ min: Math.ceil(least), max: Math.floor(most) })
    const drawn = faker.number.float({ min: least, max: most })
    const rounded = Math.round(drawn * 100) / 100
    return rounded !== 0 && rounded >= least && rounded <= most ? rounded : drawn
  }
  for (let attempt = 0; attempt < 100; attempt++) {
    const number = draw()
    if (number !== 0 || !required) return number
  }
  throw new Error(`No number but 0 was found for ${place} from ${least} to ${most}. Give the value yourself.`)
}

function dateValue({ min, max }: Required<DateDefinition>, { faker, environment }: Making): string {
  const read = (text: string) => Date.parse(text.includes('T') ? text : text.replace(' ', 'T'))
  const now = environment.now()
  const most = max === '' ? (min === '' ? now : Math.max(now, read(min) + year)) : read(max)
  const least = min === '' ? Math.min(now, most) - year : read(min)
  return new Date(faker.number.int({ min: least, max: most })).toISOString()
}

function editorValue({ maxSize }: Required<EditorDefinition>, faker: Faker): string {
  const limit = maxSize || 5 * 1024 * 1024
  const html = `<p>${faker.lorem.sentences(2)}</p>`
  if (html.length <= limit) return html
  return limit > 7 ? `<p>${faker.lorem.sentences(2).slice(0, limit - 7)}</p>` : 'x'.repeat(limit)
}

function jsonValue({ maxSize }: Required<JsonDefinition>, faker: Faker): unknown {
  const value = { [faker.lorem.word({ length: 4 })]: faker.lorem.word({ length: 5 }) }
  return maxSize === 0 || JSON.stringify(value).length <= maxSize ? value : 1
}

function passwordValue(field: Field<PasswordDefinition>, { environment, place }: Making): string {
  const { pattern, min, max } = field.definition
  const { check } = kindOf(field)
  const fits = (text: string) => check(text, {} as Parameters<typeof check>[1]) === undefined
  const usual = max === 0 ? usualPassword : usualPassword.slice(0, max)
  const long = usual.padEnd(min, '0')
  if (fits(long)) return long
  const generate = compileGenerator(pattern || '[a-z0-9]+', Math.max(8, min))
  for (let attempt = 0; attempt < 200; attempt++) {
    const text = generate(environment)
    if (fits(text)) return text
  }
  throw new Error(`No password was found for ${place} with pattern "${pattern}". Give the value yourself.`)
}

function selectValue(field: Field<SelectDefinition>, faker: Faker): string | string[] {
  const { values, maxSelect } = field.definition
  if (!field.multiple) return faker.helpers.arrayElement(values)
  return faker.helpers.arrayElements(values, { min: 1, max: Math.min(maxSelect, values.length) })
}

function fileValue({ mimeTypes, required }: Required<FileDefinition>, making: Making): Blob | undefined {
  return required ? sampleFile(mimeTypes ?? [], making.place) : undefined
}

/** Undefined leaves the field as it is without a value. Relations are not made here. */
export function fieldValue(field: Field, making: Making): unknown {
  const { faker } = making
  const { definition } = field
  switch (definition.type) {
    case 'text':
      if (definition.primaryKey || definition.autogeneratePattern) return undefined
      return textValue(field as Field<TextDefinition>, faker, making.environment, making.place)
    case 'number':
      return numberValue(definition as Required<NumberDefinition>, making)
    case 'bool':
      return definition.required || faker.datatype.boolean()
    case 'email':
      return `${localPart(faker)}@${domainFor(definition, faker)}`
    case 'url':
      return `https://${domainFor(definition, faker)}/${faker.lorem.slug(2)}`
    case 'editor':
      return editorValue(definition as Required<EditorDefinition>, faker)
    case 'date':
      return dateValue(definition as Required<DateDefinition>, making)
    case 'select':
      return selectValue(field as Field<SelectDefinition>, faker)
    case 'json':
      return jsonValue(definition as Required<JsonDefinition>, faker)
    case 'file':
      return fileValue(definition as Required<FileDefinition>, making)
    case 'password':
      return passwordValue(field as Field<PasswordDefinition>, making)
    case 'geoPoint':
      return {
        lon: faker.location.longitude({ precision: 4 }),
        lat: faker.location.latitude({ precision: 4 }),
      }
    case 'autodate':
    case 'relation':
      return undefined
  }
}
