/**
 * Adds sentences to the description of a schema, for what the keywords of JSON Schema cannot express.
 *
 * @module
 */

import type { DescriptionPart } from './vocabulary.ts'

/** A string, or the falsy result of a condition. */
export type Sentence = string | number | false | null | undefined

/** The schema with sentences before and after its description. Anything but a string is ignored. */
export function withSentences(
  schema: DescriptionPart,
  { before = [], after = [] }: { before?: readonly Sentence[]; after?: readonly Sentence[] },
): DescriptionPart {
  const sentences = [...before, schema.description as Sentence, ...after].filter(
    (sentence) => typeof sentence === 'string' && sentence !== '',
  )
  return sentences.length === 0 ? schema : { ...schema, description: sentences.join(' ') }
}
