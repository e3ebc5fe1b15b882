/**
 * `npm run test:full`: runs in full the proofs that `npm test` runs a part of. Every part runs, even after one that fails,
 * and the end says which did. It takes hours on two cores: CI runs it by schedule.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scriptCommand } from './script-command.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The tests that `npm test` runs in part, by what they or a file below them import. */
function testsInParts(): string[] {
  const files = ['cli', 'harness', 'proofs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
      .filter((path) => path.endsWith('.ts'))
      .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') })),
  )
  const partly = files.filter(({ text }) => /\/(?:in-full|compile)\.ts'/.test(text)).map(({ path }) => path)
  const shared = partly.filter((path) => !path.endsWith('.test.ts'))
  return files
    .filter(({ path }) => path.endsWith('.test.ts'))
    .filter(
      ({ path, text }) =>
        partly.includes(path) || shared.some((each) => text.includes(`'./${relative(dirname(path), each)}'`)),
    )
    .map(({ path }) => path)
}

/** Arguments of `npm run`, the shortest parts first. */
const parts: readonly (readonly string[])[] = [
  ['variations', '--', '--servers'],
  ['liars'],
  ['faults'],
  ['mutants'],
  ['variations'],
  ['variations', '--', '--pairs', '500'],
  ['test:unit', '--', ...testsInParts()],
]

scriptCommand(
  'test:full',
  'Runs all named variations, pairs of them, complete servers, faults, mutants, liars, and tests that take minutes.',
  'all parts pass, 1 one does not.',
).parse()

const failed: string[] = []
for (const args of parts) {
  const name = `npm run ${args.join(' ')}`
  console.log(`\n${name}`)
  const child = spawn('npm', ['run', '--silent', ...args], {
    stdio: 'inherit',
    env: { ...process.env, CONFORMANCE_TEST_FULL: '1' },
    shell: process.platform === 'win32',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0) failed.push(`${name} (exit code ${code})`)
}
console.log(failed.length === 0 ? `\nAll ${parts.length} parts passed.` : `\nFailed: ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1
