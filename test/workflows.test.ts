/** The workflows run pinned actions with the least rights, and publish only what was tagged, tested and packed. */

import { execFileSync, spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest'
import { parse } from 'yaml'
import type { ActionStep } from './support/action-job.ts'
import { unpinnedUses } from './support/unpinned-uses.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

interface Workflow {
  on: { schedule?: { cron: string }[] }
  permissions: Record<string, string>
  jobs: Record<string, { environment?: string; permissions?: Record<string, string>; steps: ActionStep[] }>
}

const names = readdirSync(join(root, '.github/workflows')).map((name) => `.github/workflows/${name}`)
const read = (name: string) => readFileSync(join(root, name), 'utf8')
const workflow = (name: string) => parse(read(name)) as Workflow

test.each(['action.yml', ...names])('%s pins every action that it uses', (name) => {
  expect(read(name)).toContain('uses: ')
  expect(unpinnedUses(read(name))).toEqual([])
})

const commit = '0123456789abcdef0123456789abcdef01234567'
test.each([
  [`- uses: a/b@${commit} # v1.2.3`, true],
  [`- uses: a/b/c@${commit} # v1.2.3`, true],
  ['- uses: ./', true],
  ['- uses: a/b@v1', false],
  ['- uses: a/b@v1.2.3 # v1.2.3', false],
  [`- uses: a/b@${commit}`, false],
  [`- uses: a/b@${commit} # newest`, false],
  [`- uses: a/b@${commit.slice(1)} # v1.2.3`, false],
  ['- uses: a/b', false],
  [`- uses: a/b@${commit} # v1.2.3\n- { uses: a/b@main }`, false],
  ['- { uses: docker://alpine:3 }', false],
])('%s is pinned: %s', (source, pinned) => {
  expect(unpinnedUses(source).length === 0).toBe(pinned)
})

test('one version of each action everywhere', () => {
  const used = ['action.yml', ...names].flatMap(
    (name) => read(name).match(/[\w-]+\/[\w-]+@[0-9a-f]{40}.*/g) ?? [],
  )
  const versions = new Map<string, Set<string>>()
  for (const uses of used) {
    const [action = '', version = ''] = uses.split('@')
    versions.set(action, (versions.get(action) ?? new Set()).add(version))
  }
  expect(versions.size).toBeGreaterThan(3)
  expect([...versions].filter(([, found]) => found.size > 1)).toEqual([])
})

test('the proofs that take too long for every push run in full by schedule', () => {
  const { on, jobs } = workflow('.github/workflows/full.yml')
  expect(on.schedule).toEqual([{ cron: expect.stringMatching(/^\d+ \d+ \* \* \*$/) }])
  const scripts = Object.values(jobs).flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
  expect(scripts).toContain('npm run test:full')
  expect(JSON.parse(read('package.json'))).toMatchObject({ scripts: { 'test:full': expect.any(String) } })
})

describe.each(names)('%s', (name) => {
  const { permissions, jobs } = workflow(name)
  const all = Object.values(jobs)

  it('may write nothing, but for the identity of the job that publishes', () => {
    const granted = [permissions, ...all.map((job) => job.permissions ?? {})].flatMap(Object.entries)
    const writes = granted
      .filter(([, right]) => right !== 'read')
      .map(([scope, right]) => `${scope}: ${right}`)
    expect(writes).toEqual(name.endsWith('/publish.yml') ? ['id-token: write'] : [])
  })

  it('leaves no token in a checkout', () => {
    const checkouts = all.flatMap(({ steps }) =>
      steps.filter(({ uses }) => uses?.startsWith('actions/checkout@')),
    )
    expect(checkouts.length).toBeGreaterThan(0)
    for (const { with: given } of checkouts) expect(given).toMatchObject({ 'persist-credentials': false })
  })

  it('puts no expression into a script, where its value would be code', () => {
    const scripts = all.flatMap(({ steps }) => steps.flatMap(({ run }) => run ?? []))
    expect(scripts.filter((script) => script.includes('${{'))).toEqual([])
  })
})

describe('publish.yml', () => {
  const { pack, publish } = workflow('.github/workflows/publish.yml').jobs
  const scripts = (steps: ActionStep[] = []) => steps.flatMap(({ run }) => run ?? [])
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'publish-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  /** Runs a step's script in the folder. Gives its end, what it printed and its outputs. */
  function run(script: string, env: Record<string, string> = {}) {
    const output = join(folder, 'step-output')
    writeFileSync(output, '')
    const { status, stdout, stderr } = spawnSync(
      'bash',
      ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script.replace('scripts/', `${root}scripts/`)],
      { cwd: folder, encoding: 'utf8', env: { ...process.env, ...env, GITHUB_OUTPUT: output } },
    )
    const lines = readFileSync(output, 'utf8').split('\n').filter(Boolean)
    return {
      status,
      reported: stdout + stderr,
      outputs: Object.fromEntries(lines.map((line) => line.split('='))) as Record<string, string>,
    }
  }

  function project(version: string, locked = version): void {
    const manifest = { name: 'packed', version, files: ['*.js'] }
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest))
    const lock = { version: locked, packages: { '': { version: locked } } }
    writeFileSync(join(folder, 'package-lock.json'), JSON.stringify(lock))
    writeFileSync(join(folder, 'main.js'), '')
  }

  it('tests before it packs, and gives the right to publish to a job that runs only npm', () => {
    expect(scripts(pack?.steps)).toEqual([
      'bash scripts/publish/check-version.sh',
      'npm ci --ignore-scripts',
      // No script of an installation has built it, and `npm run check` reads what is built.
      'npm run build',
      'npm test',
      'bash scripts/publish/pack.sh',
    ])
    expect(publish).toMatchObject({ needs: 'pack', environment: 'npm', permissions: { 'id-token': 'write' } })
    expect(publish?.steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'))).toEqual([])
    const [verify, send, ...more] = scripts(publish?.steps)
    expect([verify, send, more]).toEqual([
      expect.stringContaining('sha256sum --check'),
      expect.stringMatching(/^npm publish "\.\/\$TARBALL" --provenance --access public /),
      [],
    ])
  })

  const [check = '', , , , packed = ''] = scripts(pack?.steps)
  it.each([
    ['v1.2.3', '1.2.3', 'latest'],
    ['v1.0.0-beta.1', '1.0.0-beta.1', 'next'],
  ])('takes the tag %s for version %s, as %s', (tag, version, distTag) => {
    project(version)
    const { status, reported, outputs } = run(check, { GITHUB_REF_NAME: tag })
    expect([status, reported]).toEqual([0, ''])
    expect(outputs).toEqual({ 'dist-tag': distTag })
  })

  it.each([
    ['v1.2.4', '1.2.3', '1.2.3', /^::error title=Wrong tag::.*v1\.2\.4.*\(1\.2\.3\).*npm version/],
    ['1.2.3', '1.2.3', '1.2.3', /^::error title=Wrong tag::/],
    [
      'v1.2.3',
      '1.2.3',
      '1.2.2',
      /^::error title=Wrong lock file::.*1\.2\.2.*npm install --package-lock-only/,
    ],
  ])('rejects the tag %s for version %s and a lock file of %s', (tag, version, locked, words) => {
    project(version, locked)
    const { status, reported, outputs } = run(check, { GITHUB_REF_NAME: tag })
    expect([status, reported]).toEqual([1, expect.stringMatching(words)])
    expect(outputs).toEqual({})
  })

  it('publishes the tarball that was packed, and no other', () => {
    project('1.2.3')
    const { status, reported, outputs } = run(packed)
    expect([status, reported]).toEqual([0, ''])
    const { tarball = '', sha256 = '' } = outputs
    const list = execFileSync('tar', ['-tzf', tarball], { cwd: folder, encoding: 'utf8' })
    expect(list.trim().split('\n').sort()).toEqual(['package/main.js', 'package/package.json'])

    const [verify = ''] = scripts(publish?.steps)
    const env = { TARBALL: tarball, SHA256: sha256 }
    expect(run(verify, env).status).toBe(0)
    appendFileSync(join(folder, tarball), 'x')
    expect(run(verify, env)).toMatchObject({ status: 1, reported: expect.stringContaining('FAILED') })
    expect(run(verify, { ...env, SHA256: '' }).status).toBe(1)
  })
})

test('the package brings its promises, and the pages that people read first name them', () => {
  const { files } = JSON.parse(read('package.json')) as { files: string[] }
  expect(files).toContain('SECURITY.md')
  for (const page of ['README.md', 'CONTRIBUTING.md']) expect(read(page)).toContain('(SECURITY.md)')
})

test('the package says where it comes from, which its provenance is checked against', () => {
  const { repository, bugs, homepage } = JSON.parse(read('package.json')) as Record<string, unknown>
  const [, home = ''] = /uses: (record-auth-conformance\/[\w-]+)@/.exec(read('README.md')) ?? []
  expect({ repository, bugs, homepage }).toEqual({
    repository: { type: 'git', url: `git+https://github.com/${home}.git` },
    bugs: { url: `https://github.com/${home}/issues` },
    homepage: `https://github.com/${home}#readme`,
  })
})
