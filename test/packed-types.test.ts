/**
 * The types of the package as a user's compiler sees them: installed from the tarball, strict, nothing skipped, with the
 * ways of resolving modules that are in use.
 */

import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { inSample } from '../scripts/support/in-full.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const MINUTE = 60_000
let user: InstalledPackage

const application = `
import { runConformance, type RunReport } from 'record-auth-conformance'
import { connect } from 'record-auth-conformance/control'
import { createReference, defineTables, type Records } from 'record-auth-conformance/reference'
import {
  assertConforms,
  conform,
  conformingFetch,
  conformMatchers,
  createCoverage,
  createValidator,
} from 'record-auth-conformance/validate'
import { withReference } from 'record-auth-conformance/vitest'
import { Agent } from 'undici'
import { expect } from 'vitest'

const tables = defineTables([
  {
    name: 'posts',
    listRule: '',
    fields: [
      { name: 'title', type: 'text', required: true },
      { name: 'tags', type: 'select', values: ['news', 'help'], maxSelect: 2 },
    ],
  },
])

export async function suite(): Promise<RunReport> {
  const report = await runConformance({ only: ['list.*'], seed: 7, runs: undefined, onEvent: undefined })
  const lines: string[] = report.verdict.lines
  console.log(lines.join())
  return report
}

export async function application(): Promise<('news' | 'help')[]> {
  await using reference = createReference({ tables, seed: 1 })
  const [post] = await reference.make('posts')
  const title: string = post.title
  // @ts-expect-error There is no such table.
  await reference.make('nowhere')
  // @ts-expect-error A title is a text.
  const wrong: number = post.title
  reference.fault({ match: 'listRecords', status: 503, times: 1 })
  const [first, second] = await reference.make('posts', 2)
  const titles: string[] = [first.title, second.title]
  // @ts-expect-error There is no such option of a table.
  createReference({ tables: [{ name: 'posts', listRul: '' }] })
  const absent: number | undefined = titles.length > 2 ? 1 : undefined
  createReference({ tables, seed: absent, mail: undefined, log: undefined })
  reference.oauth2.next({ sub: '1', email: titles.length > 2 ? 'ann@example.com' : undefined, name: undefined })
  await reference.tokenFor('members', 'x', { duration: absent })
  const [stored] = await connect<typeof tables>('http://127.0.0.1').records('posts')
  const storedTitle: string | undefined = stored?.title
  console.log(titles, storedTitle)
  console.log(title, wrong)
  const kinds: Records<typeof tables>['posts']['tags'] = post.tags
  return kinds
}

export async function validation(): Promise<boolean> {
  const coverage = createCoverage()
  const { validate } = createValidator({ tables, coverage })
  createValidator({ tables: undefined, profile: undefined, coverage: undefined })
  const { ok } = validate({ request: { method: 'GET', url: '/' }, response: { status: 204 } })
  const checked = conformingFetch(fetch)
  await assertConforms()(await checked('http://127.0.0.1'))
  new Agent().compose(conform({ mode: 'report', onResult: ({ findings }) => console.log(findings.length) }))
  expect.extend(conformMatchers())
  await expect(await fetch('http://127.0.0.1')).toConform()
  return ok
}

export const test = withReference({ tables })
test('types', async ({ reference }) => {
  expect((await reference.make('posts', 2)).length).toBe(2)
})
`

beforeAll(async () => {
  user = await installPackage()
  await writeFile(join(user.folder, 'application.ts'), application)
  // What such a project also has.
  for (const name of ['typescript', '@types/node', 'undici-types']) {
    const place = join(user.folder, 'node_modules', name)
    await mkdir(dirname(place), { recursive: true })
    await symlink(join(root, 'node_modules', name), place).catch(() => {})
  }
}, 8 * MINUTE)
afterAll(() => user.remove())

const runners = `
import { type ConformanceSuite, conformanceSuite } from 'record-auth-conformance'
import { conformanceTests } from 'record-auth-conformance/vitest'

await conformanceTests({ only: ['list.*'], seed: 7, verdict: false })
const suite: ConformanceSuite = await conformanceSuite({ target: './target.json' })
for (const { id, statement, level, run } of suite.checks) console.log(id, statement, level, (await run()).status)
const lines: string[] = (await suite.close())?.verdict.lines ?? []
console.log(lines.join())
`

/** Parsed once for all compilations: the types of Vitest, Node and the browser are most of the work. */
const parsed = new Map<string, ts.SourceFile | undefined>()

/** What is wrong with our declarations, or with the files of the user. Other people's are their own affair. */
function complaints(files: string[], more: ts.CompilerOptions): string[] {
  const options: ts.CompilerOptions = {
    target: ts.ScriptTarget.ES2022,
    lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    noEmit: true,
    ...more,
  }
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile
  host.getCurrentDirectory = () => user.folder
  host.getSourceFile = (name, version, ...rest) => {
    const shared = !name.startsWith(`${user.folder}/`) || name.includes('/node_modules/')
    if (!shared) return read(name, version, ...rest)
    // The format that a module was resolved as belongs to its file.
    const key = `${name} ${typeof version === 'object' ? version.impliedNodeFormat : ''}`
    if (!parsed.has(key)) parsed.set(key, read(name, version, ...rest))
    return parsed.get(key)
  }
  const program = ts.createProgram(
    files.map((name) => join(user.folder, name)),
    options,
    host,
  )
  const own = /^(?:[\w-]+\.ts$|node_modules\/record-auth-conformance\/)/
  const ours = program.getSourceFiles().filter(({ fileName }) => own.test(relative(user.folder, fileName)))
  if (ours.length < files.length + 20)
    throw new Error(`Only ${ours.length} files of the package were compiled.`)
  const found = [
    ...program.getOptionsDiagnostics(),
    ...program.getGlobalDiagnostics(),
    ...ours.flatMap((file) => [
      ...program.getSyntacticDiagnostics(file),
      ...program.getSemanticDiagnostics(file),
    ]),
  ]
  return found.map(
    ({ file, messageText }) =>
      `${file === undefined ? '' : relative(user.folder, file.fileName)}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`,
  )
}

const nodeNext = { module: ts.ModuleKind.NodeNext, moduleResolution: ts.ModuleResolutionKind.NodeNext }
const bundler = { module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler }

const resolutions: [how: string, options: ts.CompilerOptions][] = [
  ['as Node does', nodeNext],
  ['as Node does, declarations skipped', { ...nodeNext, skipLibCheck: true }],
  ['as bundlers do', bundler],
]

test.each(resolutions.filter(inSample(3)))(
  'resolved %s',
  async (_, options) => {
    await writeFile(join(user.folder, 'runners.ts'), runners)
    expect(complaints(['application.ts', 'runners.ts'], options)).toEqual([])
  },
  3 * MINUTE,
)

test(
  'without Vitest',
  async () => {
    await rm(join(user.folder, 'node_modules/vitest'), { recursive: true })
    const lines = application.split('\n').filter((line) => !/vitest|expect\(|expect\./.test(line))
    const text = lines.join('\n').replace(/export const test[\s\S]*/, '')
    await writeFile(join(user.folder, 'without-vitest.ts'), text.replace('  conformMatchers,\n', ''))
    expect(complaints(['without-vitest.ts'], nodeNext)).toEqual([])
  },
  3 * MINUTE,
)
