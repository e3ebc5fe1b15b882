/**
 * What the author of an ordinary small server sees first: only the address is given, and the first screen names the
 * mistake. It was read by someone who did not know which mistake was planted.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, onTestFinished } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { type Bug, bugs, startNotesServer } from '../../scripts/support/notes-server.ts'
import { startFronted } from '../support/fronted-reference.ts'
import { openRules, stamps } from '../support/open-rules.ts'
import { conformance } from '../support/run-here.ts'

const screen = { lines: 24, columns: 80 }
const folder = mkdtempSync(join(tmpdir(), 'newcomer-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** The facts that name each mistake. */
const facts: Record<Bug, RegExp[]> = {
  'page-offset': [/Fix first: list\.\S+/, /page/],
  'pages-floor': [/Fix first: list\.\S+/, /totalPages[\s\S]*expected \d+, received \d+/],
  'total-of-page': [/Fix first: list\.\S+/, /totalItems[\s\S]*expected \d+, received \d+/],
  'filter-ignored': [/no usual form of a filter has an\s+effect/],
  'sort-ignored': [/no usual form of an order has an\s+effect/],
  'patch-replaces': [/update\.changes-only-sent/, /title after an update that sends no\s+field/],
  'delete-200': [/delete\.status/, /expected 204,\s+received\s+200/],
  'create-201': [/create\.status/, /expected 200,\s+received\s+201/],
  'content-type': [/wire\.\S+/, /text\/plain/],
  'batch-not-atomic': [/batch\.\S+/, /(?:failed batch|rejected batch|a batch)/],
  'old-token': [/token\.password-ends/],
  'bad-json-500': [/500/, /JSON/i],
  'hash-shown': [/wire\.no-secrets/, /passwordHash/],
  'any-password': [/Fix first: auth\.\S+/, /password[\s\S]*yields a token/],
  'created-moves': [/created/],
  'html-errors': [/wire\.json\S*/, /<h1>/],
  'local-time': [/record\.(created|updated)-utc/, /another time\s+zone/],
}

/** Each is a whole run: `npm test` has time for one topic of this one, and `npm run test:full` runs all. */
const sampled: Bug = 'patch-replaces'
const topics = inFull ? [] : ['--only', 'update']
const planted = (Object.entries(bugs) as [Bug, string][]).filter(([bug]) => inFull || bug === sampled)

/** The first screen of a terminal with 80 columns, which breaks longer lines. */
function firstScreen(out: string): string {
  const rows = out
    .split('\n')
    .flatMap((line) => line.match(new RegExp(`.{1,${screen.columns}}`, 'g')) ?? [''])
  return rows.slice(0, screen.lines).join('\n')
}

describe('the first screen names the mistake', { timeout: 600_000 }, () => {
  it.each(planted)('%s: %s', async (bug) => {
    const server = await startNotesServer(bug)
    try {
      const { out } = await conformance(['--base-url', server.url, '--seed', '7', ...topics], {
        env: { COLUMNS: String(screen.columns), CONFORMANCE_STATE_DIR: join(folder, bug) },
      })
      const shown = firstScreen(out)
      for (const fact of facts[bug]) expect(shown).toMatch(fact)
    } finally {
      await server.close()
    }
  })
})

it('names a time zone although no response has a date', async () => {
  const server = await startNotesServer('local-time')
  onTestFinished(() => server.close())
  const { out } = await conformance(['--base-url', server.url, '--only', 'record.created-utc'])
  for (const fact of facts['local-time']) expect(out).toMatch(fact)
})

it('shows the values of a list that is not sorted as they came, and the first two that are wrong', async () => {
  const server = await startNotesServer('sort-ignored')
  try {
    // Without a claim, lists may be sorted in a way that the suite does not know.
    const args = ['--base-url', server.url, '--only', 'list.sort-orders', '--profile', 'standard']
    const { out } = await conformance(args, {
      env: { CONFORMANCE_STATE_DIR: join(folder, 'unsorted') },
    })
    const word = (name: string) => `"${name}-\\w+"`
    const came = [
      'mango',
      'apple',
      'electroencephalographic',
      'zebra',
      'delta',
      'electroencephalographer',
      'piano',
      'berry',
    ]
      .map(word)
      .join(',')
    expect(out).toMatch(
      new RegExp(
        `by title, ${word('mango')} comes before ${word('apple')} in both \\(if orders have another form, set `,
      ),
    )
    expect(out).toMatch(new RegExp(`received {2}\\[${came}\\]`))
  } finally {
    await server.close()
  }
})

it('says how to name tables where only the one of accounts has a usual name', async () => {
  const tables = [
    { name: 'users', type: 'auth' as const, ...openRules, fields: [...stamps] },
    { name: 'zettel', type: 'base' as const, ...openRules, fields: [...stamps] },
  ]
  const server = await startFronted({ tables, passwordCost: 4 }, (request, next) => next(request))
  onTestFinished(() => server.close())
  const { out } = await conformance(['--base-url', server.url, '--only', 'auth.password-sign-in'], {
    env: { CONFORMANCE_STATE_DIR: join(folder, 'tables') },
  })
  expect(out).toContain(
    'no table except that of accounts was found under the usual names: name yours with --table NAME',
  )
})
