/**
 * Targets as users bring them, on the small independent server: mapped tables, read-only runs, setups, hooks, known
 * failures, budgets, two runs at once, a run that is killed, a server that goes away.
 */

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { journalsOf } from '../harness/journal.ts'
import type { Finding, RunReport } from '../harness/vocabulary.ts'
import {
  type IndependentServer,
  independentTarget,
  startIndependentServer,
} from './fixtures/independent-server.ts'

const MINUTE = 60_000
const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'targets-'))
const state = join(folder, 'state')
const command = ['--import', import.meta.resolve('tsx'), join(root, 'cli/main.ts')]
const env: NodeJS.ProcessEnv = { ...process.env, NO_COLOR: '1', CI: '1', CONFORMANCE_STATE_DIR: state }
for (const name of Object.keys(env))
  if (/^(VITEST|NODE_OPTIONS|CONFORMANCE_(?!STATE))/.test(name)) delete env[name as never]

let server: IndependentServer
let reports = 0

interface Ended {
  code: number
  out: string
  report: RunReport
}

function conformance(
  args: string[],
  more: Record<string, string> = {},
): Promise<{ code: number; out: string }> {
  return new Promise((resolve) => {
    const options = { cwd: folder, env: { ...env, ...more }, maxBuffer: 64e6 }
    execFile(process.execPath, [...command, ...args], options, (error, out, err) =>
      resolve({ code: error === null ? 0 : Number(error.code), out: out + err }),
    )
  })
}

async function run(args: string[], more: Record<string, string> = {}): Promise<Ended> {
  const file = join(folder, `report-${++reports}.json`)
  const ended = await conformance([...args, '--seed', '7', '--report', `json=${file}`], more)
  try {
    return { ...ended, report: JSON.parse(readFileSync(file, 'utf8')) as RunReport }
  } catch {
    throw new Error(`no report was written: ${ended.out}`)
  }
}

function file(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function started(options: Parameters<typeof startIndependentServer>[0] = {}) {
  server = await startIndependentServer(options)
  return independentTarget(server.baseUrl)
}

const outcomes = (findings: readonly Finding[]) =>
  findings.map(({ requirement, status }) => `${requirement} ${status}`).sort()
const journals = () => journalsOf(server.baseUrl, state)

afterEach(() => server?.close())
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('tables that are there already', () => {
  it(
    'one plain table with one text field, and an auth table, run what fits and leave nothing',
    async () => {
      const { tables, binding } = await started()
      const target = {
        baseUrl: server.baseUrl,
        binding,
        tables: { plain: tables.plain, members: tables.members },
      }
      const { report } = await run(['--target', file('two.json', target), '--only', 'stated,implied'])
      const passed = report.findings.filter(({ status }) => status === 'pass').map((each) => each.requirement)
      expect(passed).toEqual(
        expect.arrayContaining([
          'list.total-pages',
          'create.persists',
          'update.applies',
          'delete.removes',
          'auth.password-sign-in',
          'auth.password-wrong',
          'refresh.extends',
        ]),
      )
      expect(passed.length).toBeGreaterThan(50)
      expect(report.findings.filter(({ status }) => status === 'fail')).toEqual([])
      expect(report.smoke.unlocks.length).toBeGreaterThan(3)
      expect(server.count()).toBe(0)
      expect(journals()).toEqual([])
    },
    MINUTE,
  )

  it(
    'are only read when that is asked for: GET and sign-in, as the ledger and the server’s own log say',
    async () => {
      const target = await started()
      const path = file('read.json', target)
      const { report, out } = await run(['--target', path, '--read-only'])
      expect(report.sent).toMatchObject({ writes: 0 })
      expect(report.sent?.reads).toBeGreaterThan(5)
      expect(out).toMatch(/nothing was written/)
      expect(server.log.filter((line) => !/^(GET|HEAD) |auth-with-password$/.test(line))).toEqual([])
      expect(report.findings.filter(({ status }) => status === 'fail')).toEqual([])
      expect(report.findings.filter(({ status }) => status === 'pass').length).toBeGreaterThan(2)
    },
    MINUTE,
  )
})

describe('targets that bring code', () => {
  it(
    'make tables and hooks before the run, and undo it after',
    async () => {
      const { tables, binding } = await started()
      const trace = join(folder, 'trace')
      const module = file(
        'mine.target.mjs',
        `import { appendFileSync } from 'node:fs'
        const trace = (text) => appendFileSync(${JSON.stringify(trace)}, text + '\\n')
        export default {
          baseUrl: ${JSON.stringify(server.baseUrl)},
          binding: ${JSON.stringify(binding)},
          hooks: { clock: () => trace('clock') },
        }
        export function setup({ tables, run, prefix, baseUrl }) {
          trace('setup ' + prefix + ' ' + tables.some(({ name }) => name === 'conf_plain') + ' ' + /^[a-z0-9]{5}$/.test(run))
          return { name: 'made', tables: { plain: ${JSON.stringify(tables.plain)} }, hooks: { restart: () => trace('restart') } }
        }
        export function teardown(input, result) { trace('teardown ' + result.name) }
        `,
      )
      const { report } = await run(['--target', module, '--only', 'record.id,list.shape'])
      expect(report.target.name).toBe('made')
      expect(outcomes(report.findings)).toEqual(['list.shape pass', 'record.id pass'])
      expect(report.smoke.capabilities.clock).toBe(true)
      expect(readFileSync(trace, 'utf8').trim().split('\n')).toEqual([
        'setup /api/v1 true true',
        'teardown made',
      ])
    },
    MINUTE,
  )

  it.each<[string, string, RegExp]>([
    [
      'an unknown key',
      'export default { baseUrl: "http://127.0.0.1:1", tabels: {} }',
      /did you mean "tables"/,
    ],
    ['a setup that is none', 'export const setup = 1', /"setup" is no function/],
    [
      'a setup that throws',
      'export default { baseUrl: "http://127.0.0.1:1" }\nexport function setup() { throw new Error("no luck") }',
      /the setup failed: no luck/,
    ],
    ['a syntax error', 'export default {', /cannot be loaded/],
  ])(
    'are refused with %s',
    async (name, text, message) => {
      const { code, out } = await conformance(['--target', file(`${name.replaceAll(' ', '-')}.mjs`, text)])
      expect(out).toMatch(message)
      expect(code).toBe(2)
    },
    MINUTE,
  )

  it(
    'that are shipped go by their name',
    async () => {
      const { code, out } = await conformance(['--target', 'pocketbsae'])
      expect(out).toMatch(/did you mean pocketbase\?/)
      expect(code).toBe(2)
    },
    MINUTE,
  )
})

describe('known failures', () => {
  const list = (...rows: string[]) => `known:\n${rows.map((row) => `  - { ${row} }\n`).join('')}`
  const only = ['--only', 'list.total-pages,list.full-pages,record.id']

  it(
    'are listed and not counted; a mended, an expired or an unknown one fails the run',
    async () => {
      const path = file('defect.json', await started({ defect: 'rounds totalPages down' }))
      const plain = await run(['--target', path, ...only])
      const failed = plain.report.findings.filter(({ status }) => status === 'fail')
      expect([plain.code, failed.map(({ requirement }) => requirement)]).toEqual([
        1,
        expect.arrayContaining(['list.total-pages']),
      ])

      const rows = failed.map(({ requirement }) => `requirement: ${requirement}, reason: it rounds down`)
      const known = await run(['--target', path, ...only, '--baseline', file('known.yaml', list(...rows))])
      expect([known.code, known.report.baseline?.known]).toEqual([0, failed.length])
      expect(known.out).toMatch(/known failures\n.*list\.total-pages {2}it rounds down/s)

      const passes = await run([
        '--target',
        path,
        ...only,
        '--baseline',
        file('passes.yaml', list(...rows, 'requirement: record.id, reason: none')),
      ])
      expect(passes.out).toMatch(/record\.id is listed as known, but passes/)
      expect(passes.code).toBe(1)

      const old = await run([
        '--target',
        path,
        ...only,
        '--baseline',
        file('old.yaml', list(...rows.map((row) => `${row}, expires: 2020-01-01`))),
      ])
      expect(old.out).toMatch(/until 2020-01-01/)
      expect(old.code).toBe(1)

      const typo = await conformance([
        '--target',
        path,
        '--baseline',
        file('typo.yaml', list('requirement: list.totl-pages, reason: x')),
      ])
      expect(typo.out).toMatch(/did you mean "list\.total-pages"/)
      expect(typo.code).toBe(2)
    },
    2 * MINUTE,
  )
})

it(
  'an observation becomes a profile that can be claimed, and what leaves it later fails',
  async () => {
    const target = await started()
    const path = file('claims.json', target)
    const profile = join(folder, 'mine.profile.yaml')
    const only = ['--only', 'profile', '--runs', '0.3']
    const seen = await run(['--target', path, ...only, '--write-profile', profile])
    expect(seen.out).toMatch(/how this server fills the gaps/)
    expect(readFileSync(profile, 'utf8')).toMatch(/follows:\n {2}- \w+\./)
    const claimed = await run(['--target', path, ...only, '--profile', profile])
    expect(claimed.report.verdict.profile).toMatchObject({ claimed: true, failed: 0 })
    expect(claimed.report.verdict.profile.passed).toBeGreaterThan(3)
  },
  2 * MINUTE,
)

describe('pace and budgets', () => {
  it(
    'requests are spread, and a budget ends the run with what was learned',
    async () => {
      const path = file('slow.json', await started())
      const begin = Date.now()
      const { code, report, out } = await run([
        '--target',
        path,
        '--only',
        'record,list',
        '--rate',
        '50',
        '--max-requests',
        '60',
      ])
      expect(Date.now() - begin).toBeGreaterThan(1_000)
      expect(out).toMatch(/the budget of 60 requests is used up/)
      expect([code, report.verdict.outcome]).toEqual([3, 'incomplete'])
      expect(report.findings.length).toBeGreaterThan(0)
      expect(server.count()).toBe(0)
    },
    MINUTE,
  )

  it(
    'so does the time budget',
    async () => {
      const path = file('late.json', await started({ delay: 40 }))
      const { code, out } = await run(['--target', path, '--only', 'stated,implied', '--max-time', '8'])
      expect(out).toMatch(/the time budget of 8 seconds is used up/)
      expect(code).toBe(3)
      expect(server.count()).toBe(0)
    },
    MINUTE,
  )

  it(
    'a server that goes away ends the run with exit 2, what was learned, and what may be left',
    async () => {
      const path = file('dying.json', await started())
      const child = conformance([
        '--target',
        path,
        '--seed',
        '7',
        '--report',
        `json=${join(folder, 'dead.json')}`,
      ])
      while (server.log.length < 400) await new Promise((resolve) => setTimeout(resolve, 20))
      await server.close()
      const { code, out } = await child
      expect(code).toBe(2)
      expect(out).toMatch(/does not answer any more/)
      const report = JSON.parse(readFileSync(join(folder, 'dead.json'), 'utf8')) as RunReport
      expect(report.findings.length).toBeGreaterThan(3)
    },
    MINUTE,
  )
})

describe('runs beside and after each other', () => {
  const only = ['--only', '2.1,2.4,4.1', '--skip', 'profile', '--runs', '0.4']

  it(
    'two at once with the same seed find what one finds alone',
    async () => {
      const path = file('twice.json', await started())
      const [one, other] = await Promise.all([
        run(['--target', path, ...only]),
        run(['--target', path, ...only]),
      ])
      const alone = await run(['--target', path, ...only])
      expect(outcomes(one.report.findings)).toEqual(outcomes(alone.report.findings))
      expect(outcomes(other.report.findings)).toEqual(outcomes(alone.report.findings))
      expect([one.code, other.code, alone.code]).toEqual([0, 0, 0])
      expect(server.count()).toBe(0)
    },
    2 * MINUTE,
  )

  it(
    'what a killed run left is told of and deleted by the next',
    async () => {
      const path = file('killed.json', await started({ delay: 2 }))
      const child = spawn(process.execPath, [...command, '--target', path, '--seed', '7', ...only], {
        cwd: folder,
        env,
        stdio: 'ignore',
      })
      const ended = once(child, 'exit')
      while (server.count() < 4) await new Promise((resolve) => setTimeout(resolve, 5))
      child.kill('SIGKILL')
      await ended
      expect(server.count()).toBeGreaterThan(0)
      expect(journals()).toHaveLength(1)
      const next = await run(['--target', path, ...only])
      expect(next.out).toMatch(/ended before it had cleaned up: (\d+) of \1 records/)
      expect(next.code).toBe(0)
      expect(next.report.leftovers).toEqual([])
      expect(server.count()).toBeLessThanOrEqual(1)
      expect(journals()).toEqual([])
    },
    2 * MINUTE,
  )
})

it(
  'a target file can be had by asking the server, and says what it lacks',
  async () => {
    await started()
    const written = await conformance(['init', '--base-url', server.baseUrl, '--table', 'notes', 'people'])
    expect(written.out).toMatch(/tables {2}notes, people \(sign-in\)/)
    const path = join(folder, 'conformance.target.yaml')
    expect(readFileSync(path, 'utf8')).toMatch(/plain: \{ name: notes/)
    expect((await conformance(['init', '--base-url', server.baseUrl])).out).toMatch(/exists already/)
    expect(server.log.filter((line) => !line.startsWith('GET '))).toEqual([])
    const { code, out } = await conformance(['doctor', '--target', path])
    expect(out).toMatch(/there: plain \(given\), members \(given\)/)
    expect(out).toMatch(/one more line would unlock\n +\d+ checks/)
    expect(code).toBe(3)
  },
  MINUTE,
)
