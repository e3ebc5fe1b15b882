/**
 * The text of a target file for what was found on a server, each line explained.
 *
 * @module
 */

import { parse } from 'yaml'
import { visibleJson } from '../../exchange/visible.ts'
import { standardBinding } from '../../spec/gaps.ts'
import { documentPrefix } from '../../spec/prefix.ts'
import { loadTables } from '../../spec/tables.ts'
import type { Binding } from '../../spec/vocabulary.ts'
import type { QueryPart, TableRef } from '../vocabulary/target.ts'
import { noForm } from '../wire/query-text.ts'
import type { Exploration } from './explore-server.ts'
import { tableLabel } from './find-tables.ts'
import type { OtherNames } from './other-names.ts'

type Found = Pick<Exploration, 'target' | 'found'> & Partial<Pick<Exploration, 'names'>>

export function targetText({ target, found, names = [] }: Found): string {
  const { tables, explored, binding, credentials } = target
  const hasTables = Object.keys(tables).length > 0
  return [
    ...addressLines(target),
    '# Claims the standard profile, so that the server is judged by it. Without this line, behavior that the document',
    '# does not specify is only observed, and never counts.',
    '# profile: standard',
    '',
    '# Names that differ from the profile’s, by key (spec/gaps.yaml).',
    ...bindingLines(binding),
    ...unknownFormLines(target.unknownForms ?? []),
    ...otherNameLines(names),
    '',
    '# Maps roles to tables. `plain` needs one text field, which the suite calls `title`; `members` is an auth table that',
    '# allows sign-ups; records of `child` refer to those of `parent`. Each additional role enables more checks',
    '# (spec/tables.yaml lists them all).',
    ...(hasTables ? ['tables:', ...Object.values(tables).flatMap(tableLines)] : noTableLines(found)),
    ...otherTableLines({ target, found }, hasTables ? '  ' : ''),
    ...(hasTables ? absentTableLines(Object.keys(tables)) : []),
    '',
    ...credentialLines(credentials.superuser !== undefined, accountTable({ target, found })),
    '',
    ...missingLines(explored?.missing ?? []),
    '# Optional features that the server does not have.',
    '# capabilities: { batch: false, mail: false, apiKeys: false }',
    '',
    '# A module that creates the tables of spec/tables.yaml before a run and removes them afterwards (docs/targets.md).',
    '# setup: ./conformance.setup.mjs',
    '',
  ].join('\n')
}

function addressLines({ baseUrl, binding }: Exploration['target']): string[] {
  const { prefix = documentPrefix } = binding
  const lines = [
    '# Target file: what to test, and what the suite may use. Written by `conformance init`;',
    '# `conformance doctor --target FILE` shows how many checks each missing line would enable.',
    '',
    '# URL of the server, without the path prefix.',
    `baseUrl: ${value(baseUrl)}`,
    '',
  ]
  if (prefix === documentPrefix) return lines
  return [
    ...lines,
    '# Path prefix. The document uses /api/v1; this server uses another one.',
    `prefix: ${value(prefix)}`,
    '',
  ]
}

function noTableLines(found: Exploration['found']): string[] {
  const { name: example } = found.find(({ auth }) => !auth) ?? { name: 'notes' }
  return [
    found.some(({ open }) => open)
      ? '# No table was found in which a guest may do all that a role needs. Map your own:'
      : '# No table was found that a guest can list. Map your own:',
    '# tables:',
    `#   plain: { name: ${value(example)}, fields: { title: text } }`,
  ]
}

/** The line of one role. */
function tableLines({ role, name, fields, values, identity, as: actor }: TableRef): string[] {
  const isEmpty = role === 'plain' && fields === undefined && name !== 'conf_plain'
  const mapped = Object.entries(fields ?? (isEmpty ? { title: 'title' } : {}))
  const names = mapped.map(([ours, theirs]) => `${ours}: ${value(theirs)}`).join(', ')
  const parts = [
    `name: ${value(name)}`,
    ...(names === '' ? [] : [`fields: { ${names} }`]),
    ...(values === undefined ? [] : [`values: ${visibleJson(values)}`]),
    ...(identity === undefined ? [] : [`identity: ${value(identity)}`]),
    ...(actor === undefined ? [] : [`as: ${value(actor)}`]),
  ]
  return [
    ...(actor === undefined ? [] : [`  # closed to guests: ${standInWords(actor)} sends their requests`]),
    `  ${role}: { ${parts.join(', ')} }${isEmpty ? '  # no record shows a text field: set it here' : ''}`,
  ]
}

function otherTableLines({ target, found }: Found, indent: string): string[] {
  const used = new Set(Object.values(target.tables).map(({ name }) => name))
  const others = found.flatMap((table) =>
    used.has(table.name) || !fitsComment(table.name) ? [] : [tableLabel(table)],
  )
  return others.length === 0 ? [] : [`${indent}# also there: ${others.join(', ')}`]
}

/** The table of an account that exists: one that was found, or an example. */
function accountTable({ target, found }: Found): string {
  return (target.tables.members ?? found.find(({ auth }) => auth))?.name ?? 'users'
}

/** @param table of an account that exists, which only the tester knows */
function credentialLines(hasSuperuser: boolean, table: string): string[] {
  return [
    ...(hasSuperuser
      ? [
          '# The credentials of the superuser stay in the environment (CONFORMANCE_SUPERUSER_...).',
          '# credentials:',
        ]
      : [
          '# Credentials. Secrets stay in the environment.',
          '# credentials:',
          '#   superuser: { tokenEnv: MY_SUPERUSER_TOKEN }',
        ]),
    '#   # An existing account, for a table that is closed to guests: add `as: caller` to the table.',
    `#   caller: { signIn: { table: ${value(table)}, identity: ann@example.com, passwordEnv: MY_PASSWORD } }`,
  ]
}

/** What the exploration found, or an example. */
function bindingLines(binding: Binding): string[] {
  const usual = standardBinding()
  const own = Object.entries(binding).filter(([key, text]) => key !== 'prefix' && text !== usual[key])
  if (own.length === 0) return ['# binding:', '#   list.perPage: limit']
  return ['binding:', ...own.map(([key, text]) => `  ${key}: ${value(text)}`)]
}

/** An example of each key, in a form that is not the profile's. */
const formExamples: Readonly<Record<QueryPart, Binding>> = {
  'page size': { 'list.perPage': 'size' },
  'page number': { 'list.page': 'number' },
  filter: { 'list.filter': 'where', 'filter.equals': '{field}:{value}' },
  order: { 'list.sort': 'order_by', 'sort.ascending': '{field}', 'sort.descending': '-{field}' },
  expansion: { 'list.expand': 'include', 'expand.relation': '{field}' },
}

/** Lines of the binding that only the tester can complete. */
function unknownFormLines(parts: readonly QueryPart[]): string[] {
  return parts.flatMap((part) => [
    `# ${noForm(part)}. If the server has another one, put it under "binding":`,
    ...Object.entries(formExamples[part]).map(([key, text]) => `#   ${key}: ${value(text)}`),
  ])
}

/** What a server names in an error response may be something else: only the tester knows. */
function otherNameLines(names: readonly OtherNames[]): string[] {
  return names.flatMap(({ action, suggested }) => {
    const lines = Object.entries(suggested).map(([key, name]) => `#   ${key}: ${value(name)}`)
    return lines.length === 0
      ? []
      : [
          `# Named in an error response of ${action}. If the request needs it, put it under "binding":`,
          ...lines,
        ]
  })
}

function standInWords(actor: string): string {
  return actor === 'account' ? 'an account that the run signs up' : actor
}

/** Whether they are meant to be absent, only the tester knows: a table may be there under a name that was not tried. */
function absentTableLines(roles: readonly string[]): string[] {
  const absent = loadTables().flatMap(({ role }) => (roles.includes(role) ? [] : [role]))
  if (absent.length === 0) return []
  return [
    '  # Tables that the server does not seem to have. What needs them cannot be tested, and the run is incomplete, unless',
    '  # they are declared absent: remove the # then.',
    ...absent.map((role) => `  # ${role}: false`),
  ]
}

/** Whether they are meant to be absent, only the tester knows. */
function missingLines(missing: readonly string[]): string[] {
  if (missing.length === 0) return []
  return [
    '# Operations that the server does not seem to have. They fail, or cannot be tested without a superuser, unless they are',
    '# declared absent: remove the # then.',
    `# operations: { ${missing.map((operation) => `${operation}: false`).join(', ')} }`,
    '',
  ]
}

/**
 * A plain value. It comes from a server: if it could close the braces, it could add a line such as `setup:`, which
 * names code to run.
 */
function value(text: string): string {
  return /^[\w./:-]+$/.test(text) && parse(text) === text ? text : visibleJson(text)
}

/** Whether a name contains no line breaks or invisible characters, so that it fits into a comment. */
function fitsComment(name: string): boolean {
  return !/[\p{C}\p{Zl}\p{Zp}]/u.test(name)
}
