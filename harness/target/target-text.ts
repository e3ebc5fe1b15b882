/**
 * The text of a target file for what was found on a server, each line explained.
 *
 * @module
 */

import { parse } from 'yaml'
import { visibleJson } from '../../exchange/visible.ts'

/** A table that answers. */
export interface FoundTable {
  name: string
  /** It tells of sign-in methods. */
  auth: boolean
  /** Names of its text fields, as far as a record shows them. */
  fields: readonly string[]
  /** Of ours that has this name. */
  role?: string
}

export function targetText(baseUrl: string, prefix: string, tables: readonly FoundTable[]): string {
  const chosen = new Map<string, FoundTable>()
  for (const table of tables) if (table.role !== undefined) chosen.set(table.role, table)
  const free = tables.filter(({ role }) => role === undefined)
  const open = free.filter(({ auth }) => !auth)
  const plain = open.find(({ fields }) => fields.length > 0) ?? open[0]
  const members = free.find(({ auth }) => auth)
  if (!chosen.has('plain') && plain !== undefined) chosen.set('plain', plain)
  if (!chosen.has('members') && members !== undefined) chosen.set('members', members)
  const lines = [
    '# A target file: what is tested, and what the suite may use of it. Written by `conformance init`;',
    '# `conformance doctor --target FILE` says what each missing line would unlock.',
    '',
    '# Everything before the prefix.',
    `baseUrl: ${value(baseUrl)}`,
    '',
  ]
  if (prefix !== '/api/v1')
    lines.push(
      '# The document has /api/v1 before every path; this server answers here.',
      `prefix: ${value(prefix)}`,
      '',
    )
  lines.push(
    '# A server that says it follows the standard profile is judged by it. Without this line its answers to what the',
    '# document leaves open are observed, and never counted.',
    '# profile: standard',
    '',
    '# Names that differ from the profile’s, by key (spec/gaps.yaml).',
    '# binding:',
    '#   list.perPage: limit',
    '',
    '# Which table plays which role. `plain` needs one text field, called `title` by the suite; `members` is an auth table',
    '# in which accounts can be created. Each further role unlocks more (spec/tables.yaml has them all).',
  )
  if (chosen.size === 0)
    lines.push(
      '# No table answered a guest. Name yours:',
      '# tables:',
      '#   plain: { name: notes, fields: { title: text } }',
    )
  else {
    lines.push('tables:')
    for (const [role, { name, fields, role: known }] of chosen) {
      const mapped = role === 'plain' && known === undefined
      const field = fields[0] ?? 'title'
      const guess = mapped && fields.length === 0 ? '  # it is empty: name its text field here' : ''
      lines.push(
        `  ${role}: { name: ${value(name)}${mapped ? `, fields: { title: ${value(field)} }` : ''} }${guess}`,
      )
    }
  }
  const used = new Set([...chosen.values()].map(({ name }) => name))
  const others = free.flatMap(({ name }) => (used.has(name) || !fitsComment(name) ? [] : [name]))
  if (others.length > 0) lines.push(`  # also there: ${others.join(', ')}`)
  lines.push(
    '',
    '# Who can sign in. Secrets stay in the environment.',
    '# credentials:',
    '#   superuser: { tokenEnv: MY_SUPERUSER_TOKEN }',
    '',
    '# Optional parts that the server lacks, where it cannot be asked.',
    '# capabilities: { batch: false, mail: false, apiKeys: false }',
    '',
    '# A module that makes the tables of spec/tables.yaml before a run and removes them after it (docs/targets.md).',
    '# setup: ./conformance.setup.mjs',
    '',
  )
  return lines.join('\n')
}

/**
 * A value that stays one. The words are those of a server: one that closed the braces could add a line of its own, and
 * the line `setup:` names code that is run.
 */
function value(text: string): string {
  return /^[\w./:-]+$/.test(text) && parse(text) === text ? text : visibleJson(text)
}

/** Whether a name ends neither the line nor what an editor shows of it. */
function fitsComment(name: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)
}
