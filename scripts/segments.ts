/**
 * `npm run segments [-- FILE] [-- --text]`: prints section, place and hash of every sentence and table row of the
 * document, in the form that `source:` takes, for citing it. The text itself is printed only on demand: it is not ours.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { segment } from './traceability/segment.ts'

const [file = '../shared/interface.md'] = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const withText = process.argv.includes('--text')

for (const { section, place, hash, text } of segment(readFileSync(file, 'utf8'))) {
  const source = `{ section: "${section}", place: ${JSON.stringify(place)}, hash: "${hash}" }`
  console.log(withText ? `${source}  # ${text}` : source)
}
