/**
 * Writes `docs/profile.md`, the standard profile for people, from `spec/gaps.yaml` and the requirements:
 * `npm run generate`.
 *
 * @module
 */

import { readFile, writeFile } from 'node:fs/promises'
import { loadGaps } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'
import type { Gap, Requirement } from '../spec/vocabulary.ts'

const target = new URL('../docs/profile.md', import.meta.url)

const head = `# The standard profile

<!-- Written by \`npm run generate\` from spec/gaps.yaml and the requirements. Not to be edited. -->

The document leaves many things open. A **profile** is a complete set of answers to those gaps; \`standard\` is the one
that comes with the suite: how the living server family behaves, with what the document itself adds.

A server need not follow it. What the document states or implies is judged for every server; the requirements below count
only for a server that claims the profile, and are otherwise \`observed\`. A single name that differs (a parameter, a field
of a body, the prefix) is no reason to give up the claim: override the binding in the target file.

\`\`\`sh
npx conformance list --only profile
npx conformance explain text.min
\`\`\`

The profile has two grades. **Recommended** is what a careful server should do. **Family** is what merely happens to be so in
the living family: numbers without a reason of their own, SQLite and Go showing through, values that are lost silently.
\`--profile recommended\` claims the first alone; the verdict of \`--profile standard\` names both. Where security depends on a
gap, the report tells also a server that claims nothing, under "worth a look".

\`--write-profile FILE\` writes how a server fills the gaps, as a profile that it can claim from then on:
[a profile of your own](targets.md#a-profile-of-your-own).
`

/** The text that the page ought to have. */
export function profilePage(): string {
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
  return `- \`${id}\`: ${words.join(' ')}${security === undefined ? '' : ` *Security: ${security}*`}`
}

/** The text that it has. Empty when it does not exist. */
export async function writtenPage(): Promise<string> {
  return readFile(target, 'utf8').catch(() => '')
}

function gapPart(
  { key, question, answer, why, untested, bindings = {}, sources }: Gap,
  requirements: readonly Requirement[],
): string {
  const sections = [...new Set(sources.map(({ section }) => section))].join(', ')
  const names = Object.entries(bindings).map(([name, word]) => `\`${name}\` is \`${word}\``)
  return [
    `## ${key}`,
    '',
    `*${question}* (section ${sections})`,
    '',
    answer,
    '',
    `Why: ${why}`,
    '',
    ...(names.length === 0 ? [] : [`Names that a target may override: ${names.join(', ')}.`, '']),
    ...(requirements.length === 0
      ? [`Without a requirement: ${untested ?? ''}`, '']
      : [
          '<details>',
          `<summary>${requirements.length} requirement${requirements.length === 1 ? '' : 's'}</summary>`,
          '',
          ...requirements.map(line),
          '',
          '</details>',
          '',
          ...(untested === undefined ? [] : [`Without a requirement: ${untested}`, '']),
        ]),
  ].join('\n')
}

if (process.argv[1] === new URL(import.meta.url).pathname) await writeFile(target, profilePage())
