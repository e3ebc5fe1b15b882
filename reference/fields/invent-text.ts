import type { Faker } from '@faker-js/faker'
import type { Field, FieldCheckContext } from '../vocabulary.ts'
import { compileGenerator } from './generate-pattern.ts'
import type { Making } from './kind.ts'

/** What a text is likely about, by the name of its field. The first that fits wins. */
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

/** As long as `min` demands and no longer than `max` allows, in code points. */
function fitted(text: string, min: number, max: number, faker: Faker): string {
  let long = text
  while ([...long].length < min) long += ` ${faker.lorem.words(3)}`
  const points = [...long]
  if (points.length <= max) return long
  const cut = points.slice(0, max).join('').trimEnd()
  return [...cut].length >= min ? cut : points.slice(0, max).join('').replace(/\s$/, 'x')
}

/**
 * A text that the field takes: what its name suggests, cut and filled up to its bounds, or else one made of its
 * pattern.
 *
 * @throws Error when none was found
 */
export function inventText(field: Field<'text'>, { faker, environment, place }: Making): string {
  const { min, max: most, pattern } = field.definition
  const max = most || 5000
  // The check of a text looks at nothing but the text.
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
    `No text was found for ${place} with pattern "${pattern}", min ${min}, max ${max}. Give the value yourself.`,
  )
}
