/**
 * The main job as a user has it: the whole suite from the packed package, against the embedded reference and against one
 * that is served; and what such a run sees of the interface.
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'

import type { Finding } from '../harness/vocabulary/finding.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { userEnvironment } from '../scripts/support/user-environment.ts'
import { readData } from '../spec/read-data.ts'
import { indexUnseen } from '../spec/unseen.ts'
import type { CoverageReport } from '../validate/coverage/coverage-report.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const MINUTE = 60_000
let user: InstalledPackage
let folder = ''

interface Report {
  requests: number
  verdict: { outcome: string; lines: string[] }
  findings: Finding[]
}

interface ServedTarget {
  baseUrl: string
  tables: Record<string, { name: string }>
  credentials: { superuser: { token: string } }
}

/** By the link that npx follows: npx takes longer than most of these calls, and test/docs.test.ts calls it. */
const conformance = (args: string[], env?: Record<string, string>) =>
  user.run(join(folder, 'node_modules/.bin/conformance'), args, env)

async function report(name: string): Promise<Report> {
  return JSON.parse(await readFile(join(folder, name), 'utf8')) as Report
}

/** What must be the same from run to run: which requirement ended how. */
const outcomes = ({ findings }: Report) =>
  findings.map(({ requirement, status }) => `${requirement} ${status}`)

function appears(path: string): Promise<void> {
  return vi.waitFor(() => expect(existsSync(path), path).toBe(true), { timeout: 20_000 })
}

/** How many records each table holds. */
async function contents({ baseUrl, tables, credentials }: ServedTarget): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const name of [...Object.values(tables).map((table) => table.name), '_superusers', '_externalAuths']) {
    const response = await fetch(`${baseUrl}/api/v1/collections/${name}/records?perPage=1`, {
      headers: { authorization: credentials.superuser.token },
    })
    counts[name] = ((await response.json()) as { totalItems: number }).totalItems
  }
  return counts
}

beforeAll(async () => {
  user = await installPackage()
  folder = user.folder
  const { code, stdout } = await conformance(['--report', 'json=first.json', '--seed', '7'])
  expect(stdout).toContain('document: conformant')
  expect(stdout.split('\n')[0]).toContain('record-auth-conformance')
  expect(code).toBe(0)
}, 8 * MINUTE)

afterAll(() => user.remove())

describe('the embedded reference', () => {
  test('is conformant, and everything is judged', async () => {
    const { verdict, findings } = await report('first.json')
    expect(verdict.outcome).toBe('conformant')
    expect(findings.filter(({ status }) => status === 'untestable' || status === 'blocked')).toEqual([])
  })

  test('has the verdict that the README shows', async () => {
    const { verdict } = await report('first.json')
    const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8')
    expect(readme).toContain(`\`\`\`text\n${verdict.lines.join('\n')}\n\`\`\``)
    const documented = /^document: conformant (\d+)/.exec(verdict.lines[0] ?? '')?.[1]
    expect(readme).toContain(`[${documented} requirements](docs/requirements.md)`)
  })

  // `npm test` compares two runs in cli/cli.test.ts.
  test.runIf(inFull)(
    'gets the same requests and findings where the seed is the same',
    async () => {
      const [one, two] = await Promise.all(
        ['one', 'two'].map(async (name) => {
          await conformance(['--report', `json=${name}.json`, '--seed', '7', '--only', 'batch.*'])
          const found = await report(`${name}.json`)
          return { requests: found.requests, outcomes: outcomes(found) }
        }),
      )
      expect(one?.requests).toBeGreaterThan(100)
      expect(two).toEqual(one)
    },
    3 * MINUTE,
  )
})

describe('a server somewhere', () => {
  // `npm test` runs such commands in test/docs.test.ts.
  test.runIf(inFull)(
    'is found by its ready file with the same findings, and by its address alone as far as that goes',
    async () => {
      const ready = join(folder, 'target.json')
      const server = spawn('npx', ['conformance', 'serve', '--port', '0', '--ready-file', ready], {
        cwd: folder,
        env: userEnvironment(),
        stdio: 'ignore',
        detached: true,
      })
      try {
        await appears(ready)
        const target = JSON.parse(await readFile(ready, 'utf8')) as ServedTarget
        const { baseUrl } = target
        const before = await contents(target)
        const some = ['--only', inFull ? '2.1,2.5,4.2' : '2.1,2.5', '--runs', '0.3', '--seed', '7']
        expect((await conformance(['--target', ready, ...some, '--report', 'json=served.json'])).code).toBe(0)
        expect(await contents(target)).toEqual(before)
        const found = outcomes(await report('served.json'))
        expect(found.length).toBeGreaterThan(inFull ? 100 : 30)
        expect(outcomes(await report('first.json'))).toEqual(expect.arrayContaining(found))

        // What is found at a server, the run above says; these say how far each way of naming it goes.
        const only = ['--only', 'record.id,list.page*,list.total-pages,auth.superuser-token', '--runs', '0.3']
        const shipped = await conformance(['--target', 'reference', '--base-url', baseUrl, ...only], {
          CONFORMANCE_SUPERUSER_TOKEN: target.credentials.superuser.token,
        })
        expect(shipped.stdout).toMatch(/standard profile: (\d+)\/\1/)
        expect(shipped.code).toBe(0)

        // `npm test` runs the README's command with an address alone, in test/docs.test.ts.
        if (inFull) {
          const bare = await conformance(['--base-url', baseUrl, ...only])
          expect(bare.stdout).toContain('incomplete')
          expect(bare.code).toBe(3)
        }
      } finally {
        const ended = once(server, 'exit')
        // The group, since npx starts the command as a child of its own.
        if (server.pid !== undefined) process.kill(-server.pid, 'SIGTERM')
        await ended
      }
      expect(existsSync(ready)).toBe(false)
    },
    8 * MINUTE,
  )
})

describe('the coverage of the whole run', () => {
  let coverage: CoverageReport

  beforeAll(async () => {
    const { code, stdout, stderr } = await conformance(['coverage', 'first.json', '--format', 'json'])
    expect(code, stderr).toBe(0)
    coverage = JSON.parse(stdout) as CoverageReport
  })

  test('sees every operation, and misses exactly what has a reason', () => {
    expect(coverage.operations.percent).toBe(100)
    const missing = coverage.missing.flatMap(({ operation, statuses, parameters, actors }) =>
      [...statuses, ...parameters, ...actors].map((what) => `${operation} ${what}`),
    )
    expect(missing.sort()).toEqual([...indexUnseen(readData('unseen')).keys()].sort())
  })

  test('sees each kind of actor, and every check send its requests', () => {
    const rows = Object.values(coverage.seen).flat()
    expect([...new Set(rows.map(({ actor }) => actor))].sort()).toEqual([
      'apiKey',
      'guest',
      'impersonated',
      'superuser',
      'unknown',
      'user',
    ])
    expect(coverage.requirements.percent).toBeGreaterThan(99)
  })

  test('is the page of results: `conformance coverage REPORT --format markdown` of such a report', async () => {
    const { stdout } = await conformance(['coverage', 'first.json', '--format', 'markdown'])
    const page = await readFile(new URL('../docs/results/coverage.md', import.meta.url), 'utf8')
    // Of another day.
    const timeless = (text: string) => text.replace(/started at .* requests/, '')
    expect(timeless(page)).toBe(timeless(stdout))
  })
})
