/** The examples for the control endpoints, each run as its comment says, with the built command. */

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { builtCommand } from '../../scripts/support/command.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'control-examples-'))
  await cp(join(root, 'examples/control'), folder, { recursive: true })
  await mkdir(join(folder, 'node_modules'))
  await symlink(join(root, 'node_modules/playwright-core'), join(folder, 'node_modules/playwright-core'))
  await symlink(root, join(folder, 'node_modules/record-auth-conformance'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = promisify(execFile)

/** What a command of the example prints while the server runs. @throws if it fails */
async function during(exec: string): Promise<string> {
  const args = [builtCommand, 'serve', '--data', 'data.json', '--control', '--exec', exec]
  const { stdout, stderr } = await run(process.execPath, args, { cwd: folder, env: userEnvironment() })
  return stdout + stderr
}

const has = (name: string, argument: string) =>
  run(name, [argument]).then(
    () => true,
    () => false,
  )

test('Python', async ({ skip }) => {
  skip(!(await has('python3', '--version')), 'there is no python3')
  expect(await during('python3 posts_test.py')).toMatch(/Ran 3 tests.*OK/s)
}, 60_000)

// Go compiles a client with all cores.
test.runIf(inFull)(
  'Go',
  async ({ skip }) => {
    skip(!(await has('go', 'version')), 'there is no go')
    expect(await during('cd go && go test ./...')).toMatch(/^ok\s+example\.com\/posts/m)
  },
  240_000,
)

test.runIf(inFull)(
  'Playwright',
  async () => {
    expect(await during('node --test page.test.mjs')).toMatch(/# (?:pass|skipped) 1$/m)
  },
  120_000,
)
