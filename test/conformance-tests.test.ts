/** The suite as tests of a user's own project: Vitest 3, 4 and 5, and node:test, from the tarball. */

import { execFile } from 'node:child_process'
import { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { inFull } from '../scripts/support/in-full.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const exec = promisify(execFile)
const root = fileURLToPath(new URL('..', import.meta.url))
/** The major version that this project uses, which is installed. */
const ours = '4'
/** Vitest 5 needs Node 22.12 or newer, and is tested from Node 24 on. */
const versions = ['3', '4', ...(Number.parseInt(process.versions.node, 10) > 22 ? ['5'] : [])]
const MINUTE = 60_000
const only = inFull ? ['list.page*', 'list.expand*', 'auth-record.*'] : ['list.page', 'auth-record.*']
let user: InstalledPackage
let command: RunReport

beforeAll(async () => {
  user = await installPackage()
  await writeFile(
    join(user.folder, 'suite.test.mjs'),
    `import { conformanceTests } from 'record-auth-conformance/vitest'
await conformanceTests({ seed: 7, only: ${JSON.stringify(only)} })`,
  )
  const flags = only.flatMap((word) => ['--only', word])
  await user.run('npx', ['conformance', '--seed', '7', ...flags, '--report', 'json=report.json', '--quiet'])
  command = JSON.parse(await readFile(join(user.folder, 'report.json'), 'utf8')) as RunReport
}, 8 * MINUTE)
afterAll(() => user.remove())

const count = (...statuses: string[]) =>
  command.findings.filter(({ status }) => statuses.includes(status)).length

/** `npm test` has time for the one that is installed. */
test.each(inFull ? versions : [ours])(
  'Vitest %s',
  async (version) => {
    const folder = join(user.folder, `vitest-${version}`)
    await mkdir(folder)
    await writeFile(join(folder, 'package.json'), '{"private":true}')
    if (version === ours) {
      await mkdir(join(folder, 'node_modules'))
      await symlink(join(root, 'node_modules/vitest'), join(folder, 'node_modules/vitest'))
    } else {
      const install = ['install', '--prefer-offline', '--no-audit', '--no-fund', `vitest@${version}`]
      await exec('npm', install, { cwd: folder })
    }
    const installed = join(user.folder, 'node_modules')
    // This project's own Vitest is nearer than the one that the other tests use.
    const own = join(folder, 'node_modules/record-auth-conformance')
    await exec('cp', ['-r', join(installed, 'record-auth-conformance'), own])
    const { dependencies } = JSON.parse(await readFile(join(own, 'package.json'), 'utf8')) as {
      dependencies: Record<string, string>
    }
    for (const name of Object.keys(dependencies)) {
      const place = join(folder, 'node_modules', name)
      await rm(place, { recursive: true, force: true })
      await mkdir(join(place, '..'), { recursive: true })
      await symlink(join(installed, name), place)
    }
    await exec('cp', [join(user.folder, 'suite.test.mjs'), folder])
    const vitest = [join(folder, 'node_modules/vitest/vitest.mjs'), 'run', '--root', folder]
    const { stdout, stderr } = await user.run('node', [
      ...vitest,
      '--reporter=default',
      '--reporter=json',
      '--outputFile.json=out.json',
    ])
    const out = await readFile(join(folder, 'out.json'), 'utf8').catch(
      () => `{"error":${JSON.stringify(stderr)}}`,
    )
    expect(JSON.parse(out)).toMatchObject({
      success: true,
      numPassedTests: count('pass', 'warn'),
      numPendingTests: count('observed', 'blocked', 'untestable', 'not-applicable'),
      numFailedTests: 0,
    })
    for (const line of command.verdict.lines) expect(stdout).toContain(line)
  },
  6 * MINUTE,
)

// `npm test` has test/examples/runners.test.ts.
test.runIf(inFull)(
  'node:test, by the checks as data',
  async () => {
    await writeFile(
      join(user.folder, 'node.test.mjs'),
      `import { after, test } from 'node:test'
import { conformanceSuite } from 'record-auth-conformance'
const suite = await conformanceSuite({ seed: 7, only: ${JSON.stringify(only)} })
for (const { id, run } of suite.checks)
  test(id, async (t) => {
    const { status, message } = await run()
    if (status !== 'pass') t.skip(status + ': ' + message)
  })
after(async () => console.log((await suite.close()).verdict.lines.join(' | ')))`,
    )
    const { stdout } = await user.run('node', ['--test', '--test-reporter=tap', 'node.test.mjs'])
    expect(stdout).toMatch(new RegExp(`^# pass ${count('pass')}$`, 'm'))
    expect(stdout).toMatch(/^# fail 0$/m)
    expect(stdout).toContain(command.verdict.lines.join(' | '))
  },
  3 * MINUTE,
)
