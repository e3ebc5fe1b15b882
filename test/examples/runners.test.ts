/**
 * The examples for each test runner, run as in a project that has the built package installed. `npm test` has time for those
 * of Vitest and `node:test`.
 */

import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inFull } from '../../scripts/support/in-full.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const modules = ['vitest', 'jest', 'pocketbase', 'playwright-core']
let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'examples-'))
  for (const name of ['vitest', 'jest', 'node-test', 'playwright']) {
    await cp(join(root, 'examples', name), join(folder, name), { recursive: true })
  }
  await mkdir(join(folder, 'node_modules'), { recursive: true })
  for (const name of modules)
    await symlink(join(root, 'node_modules', name), join(folder, 'node_modules', name))
  await symlink(root, join(folder, 'node_modules/record-auth-conformance'))
  await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}')
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function run(
  command: string,
  args: string[],
  environment: Record<string, string> = {},
): Promise<string> {
  const options = { cwd: folder, env: { ...userEnvironment(), ...environment } }
  try {
    const { stdout, stderr } = await promisify(execFile)(command, args, options)
    return stdout + stderr
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string }
    throw new Error(`${command} ${args.join(' ')} failed:\n${stdout}\n${stderr}`)
  }
}

const bin = (name: string) => join(root, 'node_modules', name)

test('Vitest', async () => {
  expect(await run('node', [bin('vitest/vitest.mjs'), 'run', 'vitest'])).toMatch(/Tests\s+3 passed/)
}, 60_000)

test.runIf(inFull)(
  'Jest',
  async () => {
    const output = await run('node', [
      '--experimental-vm-modules',
      bin('jest/bin/jest.js'),
      '--config',
      'jest/jest.config.json',
    ])
    expect(output).toMatch(/Tests:\s+4 passed/)
    expect(output).toContain('document: conformant 2/2')
    const [page, example] = ['docs/test-runners.md', 'examples/jest/suite.test.mjs'].map((path) =>
      readFileSync(join(root, path), 'utf8'),
    )
    expect(page).toContain(example?.replace(/^\/\*.*\*\/\n/, ''))
  },
  60_000,
)

test.runIf(inFull)(
  'Jest shows why a request was rejected, with the wrapper of the documentation',
  async () => {
    const page = readFileSync(join(root, 'docs/test-your-application.md'), 'utf8')
    const wrapper = /const explained = [\s\S]*?\n {2}\}\)\n/.exec(page)?.[0]
    await mkdir(join(folder, 'jest-why'))
    await writeFile(
      join(folder, 'jest-why/why.test.mjs'),
      `import { createReference } from 'record-auth-conformance/reference'
const reference = createReference()
${wrapper}
test('lists posts', explained(async () => {
  expect((await reference.fetch('/api/v1/collections/posts/records')).status).toBe(200)
}))
`,
    )
    const config = JSON.stringify({
      rootDir: join(folder, 'jest-why'),
      testMatch: ['**/*.mjs'],
      transform: {},
    })
    const failed = run('node', ['--experimental-vm-modules', bin('jest/bin/jest.js'), '--config', config])
    await expect(failed).rejects.toThrow(
      /Received: 404\s+The last requests:\s+GET \/collections\/posts\/records 404\s+There is no table "posts"/,
    )
  },
  60_000,
)

test('node:test', async () => {
  expect(await run('node', ['--test', 'node-test/otp.test.mjs'])).toMatch(/pass 2/)
}, 60_000)

test.runIf(inFull)(
  'Playwright',
  async ({ skip }) => {
    const output = await run('node', ['--test', 'playwright/page.test.mjs'])
    if (!existsSync(process.env.CHROMIUM ?? '/usr/bin/chromium')) skip('not run: there is no Chromium here')
    expect(output).toMatch(/pass 1/)
  },
  60_000,
)
