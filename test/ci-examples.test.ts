/** The examples of `examples/ci` for GitHub, GitLab and a plain shell, with servers in Go and Python, and the Dockerfile. */

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it, type TestContext } from 'vitest'
import { parse } from 'yaml'
import { builtCommand } from '../scripts/support/command.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { userEnvironment } from '../scripts/support/user-environment.ts'
import { type ActionStep, action, commands, runAction } from './support/action-job.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000
const made: string[] = []
afterAll(() => {
  for (const folder of made) rmSync(folder, { recursive: true, force: true })
})

/** npx finds the command that is built here, whatever the registry has. */
const npx = commands({
  npx: `case "$*" in *'--package=record-auth-conformance conformance '*) ;; *) exit 99 ;; esac\nshift 3\nexec '${process.execPath}' '${builtCommand}' "$@"`,
  npm: 'exit 0',
})
made.push(npx)
const path = [npx, process.env.PATH].join(delimiter)
const has = (command: string) => spawnSync('sh', ['-c', `command -v ${command}`]).status === 0

/** A copy of the examples at a free port. */
async function copied(): Promise<string> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const { port } = probe.address() as AddressInfo
  probe.close()
  await once(probe, 'close')
  const folder = mkdtempSync(join(tmpdir(), 'ci-example-'))
  made.push(folder)
  cpSync(join(root, 'examples/ci'), folder, { recursive: true })
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const file = join(folder, name)
    if (!statSync(file).isFile()) continue
    const text = readFileSync(file, 'utf8')
    if (text.includes('8090')) writeFileSync(file, text.replaceAll('8090', String(port)))
  }
  return folder
}

function shell(folder: string, script: string, first = path) {
  const state = join(folder, 'state')
  const env = { ...userEnvironment(), PATH: first, CONFORMANCE_STATE_DIR: state }
  return spawnSync('bash', ['-eo', 'pipefail', '-c', script], { cwd: folder, env, encoding: 'utf8' })
}

function expectJudged(folder: string, file: string): void {
  const report = readFileSync(join(folder, file), 'utf8')
  expect(report).toContain('name="create.persists"')
  // An incomplete run fails in the suite of the verdict.
  expect(report.replace(/<testsuite name="verdict"[\s\S]*$/, '')).not.toContain('<failure')
}

it('the script says that the package is missing, and starts nothing', async () => {
  const none = commands({ npx: 'echo "npm error code E404" >&2\nexit 1' })
  made.push(none)
  const folder = await copied()
  const { status, stderr } = shell(
    folder,
    './test.sh sh -c "touch started"',
    [none, process.env.PATH].join(delimiter),
  )
  expect([status, stderr]).toEqual([2, expect.stringMatching(/E404\n.* is missing: .*\n.*npm install/)])
  expect(existsSync(join(folder, 'started'))).toBe(false)
})

/** Go and Python use the module caches of the machine. */
const languages: [language: string, command: string][] = [
  ['python', 'python3'],
  ['go', 'go'],
]

/** Why a server is not run, if it is not. */
function missingFor(command: string): string | undefined {
  if (!has(command)) return `${command} is not installed`
  // It compiles its server with both cores for a minute.
  return command === 'go' && !inFull ? 'go takes a minute, npm run test:full runs it' : undefined
}

describe.each(languages)('a server in %s', (language, command) => {
  const missing = missingFor(command)
  const unlessMissing = (test: () => Promise<void>) => async (context: TestContext) => {
    if (missing === undefined) return test()
    console.log(`Not run: ${missing}.`)
    context.skip(missing)
  }

  it.runIf(inFull)(
    'is tested by the script of GitLab, which is plain shell',
    unlessMissing(async () => {
      const folder = await copied()
      const jobs = parse(readFileSync(join(folder, 'gitlab.yml'), 'utf8')) as Record<
        string,
        { script: string[] }
      >
      const { status, stdout, stderr } = shell(folder, (jobs[language]?.script ?? ['exit 9']).join('\n'))
      expect([status, stdout + stderr]).toEqual([0, expect.stringMatching(/^document: /m)])
      expectJudged(folder, 'conformance.xml')
      expect(existsSync(join(folder, 'conformance.html'))).toBe(true)
    }),
    4 * MINUTE,
  )

  // test/action.test.ts runs the action in each case.
  it.runIf(inFull)(
    'is tested by the job of GitHub, whose action waits for it',
    unlessMissing(async () => {
      const folder = await copied()
      const { jobs } = parse(readFileSync(join(folder, 'github.yml'), 'utf8')) as {
        jobs: Record<string, { steps: ActionStep[] }>
      }
      const steps = jobs[language]?.steps ?? []
      const start = steps.find(({ run }) => run !== undefined)?.run ?? 'exit 9'
      const inputs = steps.find(({ uses }) => uses?.startsWith('record-auth-conformance/'))?.with ?? {}
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(inputs)))
      const server = spawn('bash', ['-c', start.replace(/&\s*$/, '')], {
        cwd: folder,
        detached: true,
        stdio: 'ignore',
      })
      try {
        const given = Object.fromEntries(Object.entries(inputs).map(([name, value]) => [name, String(value)]))
        const { status, reported, outputs } = runAction({ folder, inputs: given, path })
        expect([status, reported]).toEqual([3, expect.stringMatching(/^document: /m)])
        expect(outputs).toEqual({ outcome: 'incomplete' })
        expectJudged(folder, 'conformance-report/junit.xml')
      } finally {
        if (server.pid !== undefined) process.kill(-server.pid)
      }
    }),
    4 * MINUTE,
  )
})

it('the Dockerfile installs the tarball as the tests of the package do, and starts its command', () => {
  const text = readFileSync(join(root, 'Dockerfile'), 'utf8')
  const instructions = new Map(
    [...text.matchAll(/^([A-Z]+) (.+)$/gm)].map(([, name = '', rest = '']) => [name, rest]),
  )
  const { name, version, bin, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string
    version: string
    bin: Record<string, string>
    engines: { node: string }
  }
  const [, major = 0] = /^node:(\d+)/.exec(instructions.get('FROM') ?? '') ?? []
  expect(Number(major)).toBeGreaterThan(Number.parseFloat(engines.node.slice(2)))
  const [pattern = '', to = ''] = (instructions.get('COPY') ?? '').split(' ')
  const tarball = `${name}-${version}.tgz`
  expect(spawnSync('bash', ['-c', `[[ ${tarball} == ${pattern} ]]`]).status).toBe(0)
  const install = (instructions.get('RUN') ?? '').split(' && ')[0] ?? ''
  expect(install.split(' ')).toEqual(['npm', 'install', '--global', '--no-audit', '--no-fund', to + pattern])
  const packed = readFileSync(join(root, 'test/support/installed-package.ts'), 'utf8')
  for (const word of ['install', '--no-audit', '--no-fund']) expect(packed).toContain(`'${word}'`)
  expect(JSON.parse(instructions.get('ENTRYPOINT') ?? '[]')).toEqual([Object.keys(bin)[0]])
})
