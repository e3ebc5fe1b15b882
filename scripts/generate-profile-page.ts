/**
 * Writes `docs/profile.md`, the standard profile for people, from `spec/gaps.yaml` and the requirements:
 * `npm run generate`.
 *
 * @module
 */

import { countOf } from '../spec/count-of.ts'
import { loadGaps } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'
import type { Gap, Requirement } from '../spec/vocabulary.ts'
import { generatedFile } from './support/generated-file.ts'

export const profileFile = generatedFile(new URL('../docs/profile.md', import.meta.url), profilePage)

const head = `# The standard profile

<!-- Written by \`npm run generate\` from spec/gaps.yaml and the requirements. Do not edit. -->

The document leaves many things open. A **profile** is a complete set of answers to those gaps. The suite comes with one,
\`standard\`: the behavior of the living server family, with the document's own additions.

A server does not have to follow it. Every server is checked for what the document states or implies. The requirements below
count only for a server that claims the profile, and are otherwise \`observed\`. A server whose names differ (a parameter, a
field of a body, the prefix) can still claim it: override the binding in the target file.

\`\`\`sh
npx conformance list --only profile
npx conformance explain text.min
\`\`\`

\`explain\` also shows two exchanges: one of the reference server, which conforms, and one of a server with a defect.

The profile has two grades. **Recommended** is what a careful server should do. **Family** is what the living family happens
to do: arbitrary numbers, details of SQLite and Go, values that are lost silently. \`--profile recommended\` claims only the
first; the verdict of \`--profile standard\` reports both. If the security of a server depends on something that the document does not say, the report says so
under "worth a look", even if the server claims nothing.

\`--write-profile FILE\` writes a server's own answers to the gaps, as a profile that it can claim from then on:
[a profile of your own](targets.md#a-profile-of-your-own).
`

/** The text that the page should have. */
function profilePage(): string {
  const requirements = [...loadRequirements().values()]
  const parts = [...loadGaps().values()].map((gap) =>
    gapPart(
      gap,
      requirements.filter((requirement) => requirement.gap === gap.key),
    ),
  )
  return [head, ...parts].join('\n')
}

function line({ id, statement, grade, security }: Requirement): string {
  const words = [statement, ...(grade === 'family' ? ['*Family.*'] : [])]
  return `- <a id="${id}"></a>\`${id}\`: ${words.join(' ')}${security === undefined ? '' : ` *Security: ${security}*`}`
}

function gapPart(
  { key, question, answer: response, why, untested, bindings = {}, sources }: Gap,
  requirements: readonly Requirement[],
): string {
  const sections = [...new Set(sources.map(({ section }) => section))].join(', ')
  const named = Object.entries(bindings)
  const names = named.filter(([, word]) => word !== '').map(([name, word]) => `\`${name}\` is \`${word}\``)
  const empty = named.filter(([, word]) => word === '').map(([name]) => `\`${name}\``)
  const bodies = empty.filter((name) => name.startsWith('`body.'))
  const others = empty.filter((name) => !bodies.includes(name))
  return [
    `## ${key}`,
    '',
    `*${question}* (section ${sections})`,
    '',
    response,
    '',
    `Why: ${why}`,
    '',
    ...(names.length === 0 ? [] : [`Names that a target may override: ${names.join(', ')}.`, '']),
    ...(bodies.length === 0 ? [] : [`Bodies to which a target may add keys: ${bodies.join(', ')}.`, '']),
    ...(others.length === 0 ? [] : [`Empty, unless a target sets it: ${others.join(', ')}.`, '']),
    ...(requirements.length === 0
      ? [`Without a requirement: ${untested ?? ''}`, '']
      : [
          '<details>',
          `<summary>${countOf(requirements.length, 'requirement')}</summary>`,
          '',
          ...requirements.map(line),
          '',
          '</details>',
          '',
          ...(untested === undefined ? [] : [`Without a requirement: ${untested}`, '']),
        ]),
  ].join('\n')
}

if (process.argv[1] === new URL(import.meta.url).pathname) await profileFile.write()
