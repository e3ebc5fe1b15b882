/**
 * Writes `docs/requirements.md`, what the document requires in our words, from `spec/requirements.yaml`:
 * `npm run generate`. Each requirement has an anchor, its id, for links from reports.
 *
 * @module
 */

import { loadRequirements } from '../spec/requirements.ts'
import type { Requirement } from '../spec/vocabulary.ts'
import { generatedFile } from './support/generated-file.ts'

export const requirementsFile = generatedFile(
  new URL('../docs/requirements.md', import.meta.url),
  requirementsPage,
)

/** What the sections of the document are about. */
const topics: Readonly<Record<string, string>> = {
  '1': 'Requests and responses',
  '2.1': 'Records',
  '2.2': 'Auth records',
  '2.3': 'Field types',
  '2.4': 'List responses',
  '2.5': 'Sign-in responses',
  '2.6': 'Batch requests',
  '3': 'States',
  '4.1': 'Record endpoints',
  '4.2': 'Sign-in endpoints',
  '4.3': 'Other endpoints',
  '5': 'Authentication',
  '7': 'Errors',
  '8': 'Limits',
  '9': 'Versioning',
}

const head = `# What the document requires

<!-- Written by \`npm run generate\` from spec/requirements.yaml. Do not edit. -->

All requirements of the document, in our own words, by the section of the document that they come from. Every server is
judged by them. What the document leaves open is in [the standard profile](profile.md).

**MUST**: a server that violates it is not conformant. **SHOULD**: the report warns. *Implied*: the document does not say
it in these words, but it follows from what it says. The places name the sentences and table rows of the document.

\`\`\`sh
npx conformance list --only stated,implied
npx conformance explain list.total-pages
\`\`\`

\`explain\` also shows two exchanges: one of the reference server, which conforms, and one of a server with a defect.
`

/** The text that the page should have. */
function requirementsPage(): string {
  const stated = [...loadRequirements().values()].filter(({ basis }) => basis !== 'profile')
  const sections = [...new Set(stated.map(sectionOf))].sort((a, b) => Number(a) - Number(b))
  const parts = sections.map((section) => {
    const rows = stated.filter((each) => sectionOf(each) === section)
    return [`## Section ${section}: ${topics[section] ?? ''}`, '', ...rows.flatMap(entry)].join('\n')
  })
  return [head, ...parts].join('\n')
}

/** That of the first place: a requirement is listed once. */
function sectionOf({ sources: [first] }: Requirement): string {
  return first?.section ?? ''
}

function entry({ id, statement, basis, sources, note, security, operations, after }: Requirement): string[] {
  const places = sources.map(({ section, place }) => `${section} ${place}`).join('; ')
  const facts = [
    `${basis === 'implied' ? 'Implied by' : 'Stated in'} ${places}.`,
    ...(operations.length === 0 ? [] : [`Operations: ${operations.join(', ')}.`]),
    ...(after.length === 0
      ? []
      : [`Builds on ${after.map((each) => `[\`${each}\`](#${each})`).join(', ')}.`]),
  ]
  return [
    `### <a id="${id}"></a>\`${id}\``,
    '',
    statement,
    '',
    ...(note === undefined ? [] : [note, '']),
    ...(security === undefined ? [] : [`Security: ${security}`, '']),
    `<sub>${facts.join(' ')}</sub>`,
    '',
  ]
}

if (process.argv[1] === new URL(import.meta.url).pathname) await requirementsFile.write()
