/**
 * Every command and snippet of the documentation is run, in an empty folder that has the package installed. `npm test`
 * runs those of the README and of every eighth page, `npm run test:full` all.
 *
 * A fenced block says in its first line what it is: `sh` and `js` are run, `json file=NAME` is written where the
 * next block finds it, `text` is read by people only. `sh clone` is for a clone of the repository: those commands are
 * what CI runs, or need the published package, and are compared with `.ci/run` and `package.json` instead. Those that
 * install the package from a clone are run without cloning and building, by `npm run test:full` only.
 */

import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { parse } from 'yaml'
import { inFull, inSample } from '../scripts/support/in-full.ts'
import { userEnvironment } from '../scripts/support/user-environment.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000
const pages = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
]

interface Block {
  page: string
  line: number
  language: string
  attribute: string
  text: string
}

function blocksOf(page: string): Block[] {
  const source = readFileSync(join(root, page), 'utf8')
  return [...source.matchAll(/^```(\w+) ?(\S*)\n([\s\S]*?)^```$/gm)].map((match) => ({
    page,
    line: source.slice(0, match.index).split('\n').length,
    language: match[1] ?? '',
    attribute: match[2] ?? '',
    text: match[3] ?? '',
  }))
}

const blocks = pages.flatMap(blocksOf)
let user: InstalledPackage

beforeAll(async () => {
  user = await installPackage()
  // What readers of the examples also have: the official client, what its manual recommends for Node, and a mock server.
  for (const name of ['pocketbase', 'eventsource', 'msw'])
    await symlink(join(root, 'node_modules', name), join(user.folder, 'node_modules', name))
  await writeFastNpx(join(user.folder, '.bin'))
}, 8 * MINUTE)
afterAll(() => user.remove())

/**
 * Writes an `npx` that runs an installed command directly, and leaves everything else to npm's. The pages call it 70
 * times, and npm takes a second of CPU for each call; test/packed.test.ts uses npm's.
 */
async function writeFastNpx(folder: string): Promise<void> {
  await mkdir(folder)
  const script = `#!/bin/sh
command="${user.folder}/node_modules/.bin/$1"
if [ -x "$command" ]; then shift; exec "$command" "$@"; fi
PATH="\${PATH#*${delimiter}}" exec npx "$@"
`
  await writeFile(join(folder, 'npx'), script)
  await chmod(join(folder, 'npx'), 0o755)
}

async function runBlock({ language, attribute, text, line }: Block): Promise<void> {
  const fileName = /^file=(.+)$/.exec(attribute)?.[1]
  if (fileName) {
    await writeFile(join(user.folder, fileName), text)
    const read: Readonly<Record<string, (text: string) => unknown>> = { json: JSON.parse, yaml: parse }
    expect(() => read[language]?.(text)).not.toThrow()
    return
  }
  if (language === 'js') await writeFile(join(user.folder, `snippet-${line}.mjs`), text)
  const command = language === 'js' ? `node snippet-${line}.mjs` : text
  const path = `${join(user.folder, '.bin')}${delimiter}${process.env.PATH}`
  const { code, stdout, stderr } = await user.run('bash', ['-euc', command], { PATH: path })
  expect(code, `${stdout}\n${stderr}`).toBe(0)
}

const runnable = blocks.filter(({ language, attribute }) => language !== 'text' && attribute !== 'clone')

const runnablePages = [...new Set(runnable.map(({ page }) => page))]

describe.each(runnablePages.filter(inSample(8)))('%s', (page) => {
  test.each(runnable.filter((block) => block.page === page))(
    '$language block at line $line',
    (block) => runBlock(block),
    8 * MINUTE,
  )
})

/** `git clone` makes an empty folder, `npm ci` nothing, and `npm pack` leaves the tarball that is installed for all tests. */
async function writeLocalClone(folder: string): Promise<void> {
  const { repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    repository: { url: string }
  }
  const npm = `PATH="\${PATH#*${delimiter}}" exec npm`
  const scripts = {
    git: `[ "$1 $2" = "clone ${repository.url.replace('git+', '')}" ] && mkdir "$3"`,
    npm: `case "$1" in
ci) [ "\${PWD##*/}" = record-auth-conformance ] ;;
pack) cp "${user.folder}"/record-auth-conformance-*.tgz . ;;
*) ${npm} "$@" --prefer-offline --no-audit --no-fund ;;
esac`,
  }
  await mkdir(folder)
  for (const [name, script] of Object.entries(scripts))
    await writeFile(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
}

/** The blocks that install from a clone, without those whose every line is also in another one of them. */
function longestClones(): Block[] {
  const clones = blocks.filter(({ text }) => text.includes('git clone'))
  const linesOf = ({ text }: Block) => text.split('\n')
  return clones.filter(
    (block) =>
      !clones.some(
        (other) =>
          other.text.length > block.text.length &&
          linesOf(block).every((line) => linesOf(other).includes(line)),
      ),
  )
}

test.runIf(inFull).each(longestClones())(
  '$page installs the package from a clone',
  async ({ text }) => {
    const folder = await mkdtemp(join(tmpdir(), 'cloned-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const [bin, application] = [join(folder, 'bin'), join(folder, 'application')]
    await writeLocalClone(bin)
    await mkdir(application)
    await writeFile(join(application, 'package.json'), '{"private":true}')
    const program = `
      const { createReference } = await import('record-auth-conformance/reference')
      await import('pocketbase')
      console.log(createReference().prefix)`
    const { stdout } = await promisify(execFile)(
      'bash',
      ['-euc', `${text}\nnpx vitest --version >&2\nnode --input-type=module -e "$PROGRAM"`],
      {
        cwd: application,
        env: { ...userEnvironment(), PATH: `${bin}${delimiter}${process.env.PATH}`, PROGRAM: program },
      },
    )
    expect(stdout.trim().split('\n').at(-1)).toBe('/api/v1')
  },
  8 * MINUTE,
)

test('every block is of a known kind', () => {
  const kinds = new Set(blocks.map(({ language }) => language))
  expect([...kinds].filter((kind) => !['sh', 'js', 'json', 'yaml', 'text'].includes(kind))).toEqual([])
})

test('no example listens where the system gives out ports for connections', () => {
  const listening = /(?:--port|--smtp 127\.0\.0\.1:|"port":|baseUrl": "http:\/\/127\.0\.0\.1:) ?(\d+)/g
  const ports = blocks
    .filter(({ language, attribute }) => language !== 'text' && attribute !== 'clone')
    .flatMap(({ text }) => [...text.matchAll(listening)].map(([, port]) => Number(port)))
  expect(ports.length).toBeGreaterThan(3)
  expect(ports.filter((port) => port >= 32_768)).toEqual([])
})

test('CI runs what the README says to run', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const ci = readFileSync(join(root, '.ci/run'), 'utf8')
  const commands = ci.split('\n').filter((line) => line.startsWith('npm '))
  expect(readme).toContain(commands.join(' && '))
})
