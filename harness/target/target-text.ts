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
    '# Target file: what to test, and what the suite may use. Written by `conformance init`;',
    '# `conformance doctor --target FILE` shows how many checks each missing line would enable.',
    '',
    '# URL of the server, without the path prefix.',
    `baseUrl: ${value(baseUrl)}`,
    '',
  ]
  if (prefix !== '/api/v1')
    lines.push(
      '# Path prefix. The document uses /api/v1; this server uses another one.',
      `prefix: ${value(prefix)}`,
      '',
    )
  lines.push(
    '# Claims the standard profile, so that the server is judged by it. Without this line, behavior that the document',
    '# does not specify is only observed, and never counts.',
    '# profile: standard',
    '',
    '# Names that differ from the profile’s, by key (spec/gaps.yaml).',
    '# binding:',
    '#   list.perPage: limit',
    '',
    '# Maps roles to tables. `plain` needs one text field, which the suite calls `title`; `members` is an auth table that',
    '# allows sign-ups. Each additional role enables more checks (spec/tables.yaml lists them all).',
  )
  if (chosen.size === 0)
    lines.push(
      '# No table was found that a guest can list. Map your own:',
      '# tables:',
      '#   plain: { name: notes, fields: { title: text } }',
    )
  else {
    lines.push('tables:')
    for (const [role, { name, fields, role: known }] of chosen) {
      const mapped = role === 'plain' && known === undefined
      const field = fields[0] ?? 'title'
      const guess = mapped && fields.length === 0 ? '  # the table is empty: set its text field here' : ''
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
    '# Credentials. Secrets stay in the environment.',
    '# credentials:',
    '#   superuser: { tokenEnv: MY_SUPERUSER_TOKEN }',
    '',
    '# Optional features that the server does not have.',
    '# capabilities: { batch: false, mail: false, apiKeys: false }',
    '',
    '# A module that creates the tables of spec/tables.yaml before a run and removes them afterwards (docs/targets.md).',
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
