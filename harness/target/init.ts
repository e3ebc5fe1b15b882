/**
 * Writes a target file by asking a server what it can be asked: where its prefix is, which tables answer, how one signs
 * in. Sends GET only.
 *
 * @module
 */

import { loadTables } from '../../spec/tables.ts'
import { ConfigurationError } from '../errors.ts'

/** What was learned, and the file that it makes. */
export interface Discovery {
  prefix: string
  /** Tables that answer, by name. `auth` for those that tell of sign-in methods. */
  tables: { name: string; auth: boolean; fields: string[]; role?: string }[]
  text: string
}

type Ask = (path: string) => Promise<{ status: number; body: unknown }>

const prefixes = ['/api/v1', '/api', '']
/** Names that are tried beside those that the tester gives. */
const usual = ['users', 'members', 'accounts', 'posts', 'notes', 'items', 'articles', 'tasks', 'documents']
const common = new Set(['id', 'collectionId', 'collectionName', 'created', 'updated', 'expand'])

/**
 * @param names tables to ask for besides
 * @throws ConfigurationError when nothing answers
 */
export async function discover(baseUrl: string, names: readonly string[] = []): Promise<Discovery> {
  const ask = asker(baseUrl)
  const ours = new Map(loadTables().map(({ role, definition }) => [definition.name, role]))
  const candidates = [...new Set([...names, ...ours.keys(), ...usual])]
  const prefix = await findPrefix(ask, candidates)
  const tables: Discovery['tables'] = []
  for (const name of candidates) {
    const path = `${prefix}/collections/${encodeURIComponent(name)}`
    const list = await ask(`${path}/records?perPage=1`)
    const methods = await ask(`${path}/auth-methods`)
    const auth = methods.status === 200
    if (list.status !== 200 && !auth) continue
    const role = ours.get(name)
    const [first] = (list.body as { items?: Record<string, unknown>[] } | undefined)?.items ?? []
    const fields = Object.entries(first ?? {}).flatMap(([field, value]) =>
      typeof value === 'string' && !common.has(field) ? [field] : [],
    )
    tables.push({ name, auth, fields, ...(role === undefined ? {} : { role }) })
  }
  return { prefix, tables, text: fileText(baseUrl, prefix, tables) }
}

function asker(baseUrl: string): Ask {
  return async (path) => {
    try {
      const response = await fetch(baseUrl + path, { signal: AbortSignal.timeout(10_000) })
      const text = await response.text()
      return { status: response.status, body: parsed(text) }
    } catch (error) {
      const { cause, message } = error as Error & { cause?: { code?: string } }
      throw new ConfigurationError(
        `the server cannot be reached (${cause?.code ?? message})`,
        baseUrl,
        'start it, or correct --base-url',
      )
    }
  }
}

/** The first under which a table, or else anything JSON, answers. */
async function findPrefix(ask: Ask, names: readonly string[]): Promise<string> {
  let fallback: string | undefined
  for (const prefix of prefixes) {
    for (const name of names) {
      const { status, body } = await ask(
        `${prefix}/collections/${encodeURIComponent(name)}/records?perPage=1`,
      )
      if (status === 200 && Array.isArray((body as { items?: unknown } | undefined)?.items)) return prefix
    }
    const { status } = await ask(`${prefix}/health`)
    if (status === 200) fallback ??= prefix
  }
  return fallback ?? '/api/v1'
}

function fileText(baseUrl: string, prefix: string, tables: Discovery['tables']): string {
  const chosen = new Map<string, Discovery['tables'][number]>()
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
    `baseUrl: ${baseUrl}`,
    '',
  ]
  if (prefix !== '/api/v1')
    lines.push(
      '# The document has /api/v1 before every path; this server answers here.',
      `prefix: "${prefix}"`,
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
      lines.push(`  ${role}: { name: ${name}${mapped ? `, fields: { title: ${field} }` : ''} }${guess}`)
    }
  }
  const others = free.filter(({ name }) => ![...chosen.values()].some((each) => each.name === name))
  if (others.length > 0) lines.push(`  # also there: ${others.map(({ name }) => name).join(', ')}`)
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
