/**
 * Values of text fields for records that tests generate.
 *
 * @module
 */

import type { Faker } from '@faker-js/faker'
import type { Field, FieldCheckContext } from '../vocabulary.ts'
import { compileGenerator } from './compile-generator.ts'
import type { Making } from './kind.ts'

/** What a string is likely about, by the name of its field. The first match wins. */
const hints: readonly [RegExp, (faker: Faker) => string][] = [
  [/user_?name|nick|handle|login/i, (faker) => faker.internet.username()],
  [/first_?name/i, (faker) => faker.person.firstName()],
  [/last_?name|surname/i, (faker) => faker.person.lastName()],
  [/^(full_?)?name$|author|owner/i, (faker) => faker.person.fullName()],
  [/title|subject|headline/i, (faker) => faker.lorem.sentence({ min: 3, max: 6 }).slice(0, -1)],
  [/slug|key/i, (faker) => faker.lorem.slug()],
  [/phone/i, (faker) => faker.phone.number()],
  [/street|address/i, (faker) => faker.location.streetAddress()],
  [/city|town/i, (faker) => faker.location.city()],
  [/country/i, (faker) => faker.location.country()],
  [/zip|postal/i, (faker) => faker.location.zipCode()],
  [/company/i, (faker) => faker.company.name()],
  [/product/i, (faker) => faker.commerce.productName()],
  [/colou?r/i, (faker) => faker.color.human()],
  [/body|text|content|description|comment|message|bio|note/i, (faker) => faker.lorem.sentences(2)],
]

const tries = 200

function hintFor(name: string): (faker: Faker) => string {
  return (
    hints.find(([pattern]) => pattern.test(name))?.[1] ?? ((faker) => faker.lorem.words({ min: 2, max: 4 }))
  )
}

/** At least as long as `min`, and no longer than `max`, in code points. */
function fitted(text: string, min: number, max: number, faker: Faker): string {
  let long = text
  while ([...long].length < min) long += ` ${faker.lorem.words(3)}`
  const points = [...long]
  if (points.length <= max) return long
  const cut = points.slice(0, max).join('').trimEnd()
  return [...cut].length >= min ? cut : points.slice(0, max).join('').replace(/\s$/, 'x')
}

/**
 * A string that the field accepts: one that its name suggests, cut or padded to its bounds, or one generated from its
 * pattern.
 *
 * @throws Error if none was found
 */
export function inventText(field: Field<'text'>, { faker, environment, place }: Making): string {
  const { min, max: most, pattern } = field.definition
  const max = most || 5000
  // The check of a text field reads only the value.
  const fits = (text: string) => field.check(text, {} as FieldCheckContext) === undefined
  const hint = hintFor(field.name)
  for (let attempt = 0; attempt < (pattern === '' ? 20 : 3); attempt++) {
    const text = fitted(hint(faker), min, max, faker)
    if (fits(text)) return text
  }
  if (pattern !== '') {
    for (const openEnd of [8, Math.max(min, 1) * 2, Math.max(1, Math.min(max, 64))]) {
      const generate = compileGenerator(pattern, openEnd)
      for (let attempt = 0; attempt < tries; attempt++) {
        const text = generate(environment)
        if (fits(text)) return text
      }
    }
  }
  throw new Error(
    `No text was found for ${place} with pattern "${pattern}", min ${min}, max ${max}. Set the value yourself.`,
  )
}
