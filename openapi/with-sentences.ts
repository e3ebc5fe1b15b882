import type { DescriptionPart } from './vocabulary.ts'

/** A string; what else comes of a condition is not a sentence. */
export type Sentence = string | number | false | null | undefined

/** The schema with sentences before and after those of its description. What is not a sentence is left out. */
export function withSentences(
  schema: DescriptionPart,
  { before = [], after = [] }: { before?: readonly Sentence[]; after?: readonly Sentence[] },
): DescriptionPart {
  const sentences = [...before, schema.description as Sentence, ...after].filter(
    (sentence) => typeof sentence === 'string' && sentence !== '',
  )
  return sentences.length === 0 ? schema : { ...schema, description: sentences.join(' ') }
}
