/**
 * Finds sentences of the document in files of the project, which should say things in its own words.
 *
 * @module
 */

import type { Segment } from '../../scripts/traceability/segment.ts'

/** So many words in a row are not an accident. */
const RUN = 8

/** The first run of eight words that the text has in common with a segment, and whose it is. */
export function findCopied(
  text: string,
  segments: readonly Segment[],
): { run: string; place: string } | undefined {
  return copiedFinder(segments)(text)
}

/** The same for many files: the document is cut up once. */
export function copiedFinder(
  segments: readonly Segment[],
): (text: string) => { run: string; place: string } | undefined {
  const runs = new Map<string, string>()
  for (const { section, place, text } of segments) {
    for (const run of runsOf(text)) runs.set(run, `${section}, ${place}`)
  }
  return (text) => {
    for (const run of runsOf(text)) {
      const place = runs.get(run)
      if (place !== undefined) return { run, place }
    }
    return undefined
  }
}

function* runsOf(text: string): Generator<string> {
  const words = wordsOf(text)
  for (let at = 0; at + RUN <= words.length; at += 1) yield words.slice(at, at + RUN).join(' ')
}

/** A path or a name is one word: endpoints are named in both, and are no one's sentences. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/\s+/)
    .map((word) => word.replace(/^[^\p{L}\p{N}/]+|[^\p{L}\p{N}/]+$/gu, ''))
    .filter((word) => word !== '')
}
