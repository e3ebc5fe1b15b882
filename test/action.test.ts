/** The GitHub action, run step by step as a runner would. */

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import { inFull } from '../scripts/support/in-full.ts'
import {
  type ActionStep,
  action,
  cleanCheckout,
  commands,
  type Job,
  runAction,
} from './support/action-job.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000
const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
}, 8 * MINUTE)

const keep = (folder: string) => {
  made.push(folder)
  return folder
}
const folder = keep(mkdtempSync(join(tmpdir(), 'job-')))
const bin = (scripts: Record<string, string>, system?: string[]) => keep(commands(scripts, system))
const usual = process.env.PATH ?? ''
const first = (...folders: string[]) => [...folders, usual].join(delimiter)
const { engines, version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string }
  version: string
}
const [, major = 0, minor = 0] = (/^>=(\d+)\.(\d+)$/.exec(engines.node) ?? []).map(Number)

/** What the scripts of the action need of a system, without Node. */
const tools = ['bash', 'env', 'cat', 'mkdir', 'rm']
/** Does nothing: this repository is installed and built. */
const installed = bin({ npm: 'exit 0' })
const job = (given: Partial<Job> = {}) => runAction({ folder, path: first(installed), ...given })

// It installs and builds everything again, which takes a minute.
describe.runIf(inFull)('in a clean checkout', () => {
  it(
    'installs, builds and runs exactly the code of that checkout, and no secret reaches what it installs',
    () => {
      const checkout = keep(cleanCheckout())
      // Of a version that no registry has, so that nothing else can be mistaken for it.
      for (const name of ['package.json', 'package-lock.json']) {
        const source = readFileSync(join(checkout, name), 'utf8')
        const ours = /("name": "record-auth-conformance",\s+"version": ")[^"]*/g
        writeFileSync(join(checkout, name), source.replace(ours, `$1${version}-own`))
      }
      const log = join(folder, 'npm.log')
      const real = execFileSync('bash', ['-c', 'type -P npm'], { encoding: 'utf8' }).trim()
      const watched = bin({
        npm: `[ "$1" = --version ] || { echo "> npm $*"; env; } >> '${log}'\nexec '${real}' "$@"`,
        npx: 'echo "the action called npx"; exit 99',
      })
      const used: ActionStep[] = []
      const { status, reported, summary, outputs } = runAction({
        folder,
        checkout,
        path: first(watched),
        inputs: { arguments: '--only\nrecord.id,list.shape\n--seed\n7' },
        env: { CONFORMANCE_SUPERUSER_TOKEN: 'a-secret', MY_PASSWORD: 'a-secret', GITHUB_TOKEN: 'a-secret' },
        use: (step) => {
          used.push(step)
          return undefined
        },
      })
      expect([status, reported]).toEqual([
        0,
        expect.stringContaining(`record-auth-conformance ${version}-own`),
      ])
      expect(reported).toContain('document: conformant 2/2')
      expect(summary).toContain('document: conformant 2/2')
      expect(outputs).toEqual({ outcome: 'conformant' })
      expect(used).toEqual([])
      const installs = readFileSync(log, 'utf8')
      expect(installs.match(/^> npm .*$/gm)).toEqual([
        '> npm ci --ignore-scripts --include=dev --no-audit --no-fund',
        '> npm run build',
      ])
      expect(installs).not.toContain('a-secret')
    },
    8 * MINUTE,
  )
})

describe('the run', () => {
  it(
    'leaves the reports, and outputs the outcome',
    () => {
      const { status, reported, outputs } = job({
        inputs: { arguments: '--only\nrecord.id,list.shape\n--seed\n7' },
      })
      expect([status, reported]).toEqual([0, expect.stringContaining('document: conformant 2/2')])
      expect(outputs).toEqual({ outcome: 'conformant' })
      for (const file of ['report.json', 'junit.xml', 'report.html', 'badge.json'])
        expect(readFileSync(join(folder, 'conformance-report', file), 'utf8')).not.toBe('')
    },
    MINUTE,
  )

  it(
    'fails with the exit code of the command, and says nothing about an earlier run',
    () => {
      const { status, reported, summary, outputs } = job({
        inputs: { 'base-url': 'http://127.0.0.1:1', wait: '1' },
      })
      expect([status, reported]).toEqual([
        2,
        expect.stringContaining('nothing accepted connections at http://127.0.0.1:1'),
      ])
      expect([summary, outputs]).toEqual(['', {}])
    },
    MINUTE,
  )
})

describe('if it cannot run', () => {
  it.each(['Windows', ''])('names the system "%s" and one that it runs on', (system) => {
    const { status, reported } = job({ system })
    expect(status).toBe(2)
    expect(reported).toMatch(/^::error title=Unsupported system::.*Linux and macOS.*runs-on: ubuntu-latest/m)
    expect(reported).toContain(system)
  })

  it.each([
    ['no Node', {}, 'none'],
    ['an old Node', { node: 'echo v18.20.4', npm: 'echo 10.8.2' }, 'v18.20.4'],
    ['a Node without npm', { node: `echo v${major}.${minor}.0` }, `v${major}.${minor}.0`],
  ])('names %s that stays, and the next step', (_, scripts, shown) => {
    const used: ActionStep[] = []
    const { status, reported } = job({
      path: bin(scripts, tools),
      use: (step) => {
        used.push(step)
        return undefined
      },
    })
    expect(used).toEqual([
      expect.objectContaining({ uses: expect.stringMatching(/^actions\/setup-node@[0-9a-f]{40}$/) }),
    ])
    expect(used[0]?.with).toMatchObject({ 'node-version': '24' })
    expect([status, reported]).toEqual([2, expect.stringContaining('::error title=No suitable Node::')])
    expect(reported).toContain(`needs Node ${major}.${minor} or newer with npm; this job has ${shown}.`)
    expect(reported).toContain('Add actions/setup-node')
  })

  it(
    'runs on the Node that it set up',
    () => {
      const old = bin({ node: 'echo v18.20.4', npm: 'exit 0' })
      const set = bin({ npm: 'exit 0', node: `exec '${process.execPath}' "$@"` })
      const { status, reported } = job({
        path: first(old),
        use: () => set,
        inputs: { arguments: '--only\nrecord.id' },
      })
      expect([status, reported]).toEqual([0, expect.stringContaining('document: conformant 1/1')])
    },
    MINUTE,
  )

  it.each([
    ['ci', 'npm ci failed', 'Check that this runner reaches the npm registry'],
    ['run', 'The build failed', 'Name a released version of the action'],
  ])('stops when npm %s fails, and names the next step', (command, title, next) => {
    const failing = bin({ npm: `[ "$1" != ${command} ] || { echo "npm says why" >&2; exit 1; }` })
    const { status, reported, outputs } = job({ path: first(failing) })
    expect(status).toBe(2)
    expect(reported).toContain('npm says why')
    expect(reported).toMatch(new RegExp(`^::error title=${title}::.*${next}`, 'm'))
    expect(outputs).toEqual({})
  })

  it.runIf(inFull)(
    'installs nothing that the lock file does not name',
    () => {
      const checkout = keep(mkdtempSync(join(tmpdir(), 'drifted-')))
      mkdirSync(join(checkout, 'scripts'))
      execFileSync('cp', ['-r', join(root, 'scripts/action'), join(checkout, 'scripts')])
      execFileSync('cp', [join(root, 'package-lock.json'), checkout])
      const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        dependencies: Record<string, string>
      }
      manifest.dependencies['not-in-the-lock-file'] = '1.0.0'
      writeFileSync(join(checkout, 'package.json'), JSON.stringify(manifest))
      const { status, reported } = job({ checkout, path: usual })
      expect(status).toBe(2)
      expect(reported).toContain('::error title=npm ci failed::')
      expect(reported).toContain('not-in-the-lock-file')
    },
    MINUTE,
  )
})

test.each([
  [`v${major}.${minor}.0`, true],
  [`v${major}.${minor + 1}.3`, true],
  [`v${major + 1}.0.0`, true],
  [`v${major + 80}.1.0`, true],
  [`v${major}.${minor - 1}.9`, false],
  [`v${major - 1}.99.0`, false],
  ['v8.17.0', false],
  ['20.19.0', false],
  ['', false],
])('Node "%s" fits: %s', (shown, fits) => {
  const path = first(bin({ node: `echo '${shown}'`, npm: 'exit 0' }))
  const script = join(root, 'scripts/action/node-fits.sh')
  const { status, stdout } = spawnSync('bash', [script], { encoding: 'utf8', env: { PATH: path } })
  expect([status === 0, stdout]).toEqual([fits, ''])
})

describe('the README', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, workflow = ''] = /^```yaml file=workflow\.yml\n([\s\S]*?)^```$/m.exec(readme) ?? []
  const { jobs } = parse(workflow) as { jobs: { conformance: { steps: ActionStep[] } } }
  const ours = jobs.conformance.steps.find(({ uses }) => uses?.startsWith('record-auth-conformance/'))

  it('gives the action inputs that it has', () => {
    expect(Object.keys(action.inputs)).toEqual(
      expect.arrayContaining(Object.keys(ours?.with ?? { nothing: '' })),
    )
  })

  it('names exactly this version of the action, and no moving tag of any', () => {
    expect(ours?.uses).toBe(`record-auth-conformance/record-auth-conformance@v${version}`)
    const used = jobs.conformance.steps.flatMap(({ uses }) => uses ?? [])
    expect(used.filter((uses) => !/@(v\d+\.\d+\.\d+|[0-9a-f]{40})$/.test(uses))).toEqual([])
  })
})
