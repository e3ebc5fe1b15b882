/**
 * The package as a user gets it: packed, installed into an empty folder, used through its command and its entries.
 */

import { existsSync } from 'node:fs'
import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inFull } from '../scripts/support/in-full.ts'
import { brokenLinks } from './support/broken-links.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'

const MINUTE = 60_000
let user: InstalledPackage
let folder = ''

/** By the link that npx follows: npx takes longer than most of these calls, and test/docs.test.ts calls it. */
const conformance = (args: string[], env?: Record<string, string>) =>
  user.run(join(folder, 'node_modules/.bin/conformance'), args, env)

/** Sources that a built file consists of, as the bundler notes them in it. */
const modulesIn = (text: string) =>
  [...text.matchAll(/^\/\/ ((?:[\w@.-]+\/)+[\w@.-]+\.[cm]?[jt]s)$/gm)].map(([, module = '']) => module)

/** Imported before a script: writes the URL of each module that is loaded to the standard error output. */
const traceModules = `
import { register } from 'node:module'
import { MessageChannel } from 'node:worker_threads'
const hooks = 'export async function initialize({ port }) { globalThis.port = port }' +
  'export async function load(url, context, next) { globalThis.port.postMessage(url); return next(url, context) }'
const { port1, port2 } = new MessageChannel()
port1.on('message', (url) => console.error(url)).unref()
register('data:text/javascript,' + encodeURIComponent(hooks), { data: { port: port2 }, transferList: [port2] })
`

/**
 * Runs a script that prints JSON, and lists the files that it loads. What they weigh decides how long loading takes, on
 * any machine.
 */
async function traced(script: string, options: string[] = []) {
  await writeFile(join(folder, 'trace.mjs'), traceModules)
  await writeFile(join(folder, 'script.mjs'), script)
  const { stdout, stderr } = await user.run('node', [...options, '--import', './trace.mjs', 'script.mjs'])
  const urls = stderr.split('\n').filter((line) => /^file:.*\/node_modules\//.test(line))
  const texts = await Promise.all(urls.map((url) => readFile(fileURLToPath(url), 'utf8')))
  return {
    printed: JSON.parse(stdout) as unknown,
    modules: texts.flatMap(modulesIn),
    urls,
    kilobytes: texts.join('').length / 1024,
  }
}

beforeAll(async () => {
  user = await installPackage()
  folder = user.folder
}, 8 * MINUTE)

afterAll(() => user.remove())

test('brings each module once, nothing of how it was built, and no script that an installation runs', async () => {
  const home = join(folder, 'node_modules/record-auth-conformance')
  const { scripts } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>
  }
  expect(Object.keys(scripts).filter((name) => /^(pre|post)?(install|prepare)$/.test(name))).toEqual([])
  const names = await readdir(home, { recursive: true })
  const building = /\.map$|(^|\/)\.|^(scripts|test|proofs)(\/|$)|^dist\/.*\.test\./
  expect(names.filter((name) => building.test(name))).toEqual([])
  const modules: string[] = []
  for (const name of names.filter((each) => each.endsWith('.js')))
    modules.push(...modulesIn(await readFile(join(home, name), 'utf8')))
  expect(modules).toEqual(expect.arrayContaining(['reference/app.ts', 'validate/create-validator.ts']))
  expect(modules.filter((module, at) => modules.indexOf(module) !== at)).toEqual([])
})

test('takes at most 22 MB, with at most 12 other packages', async () => {
  const modules = join(folder, 'node_modules')
  const packages = new Set(['record-auth-conformance'])
  // A set continues with what is added during the loop.
  for (const name of packages) {
    const { dependencies } = JSON.parse(await readFile(join(modules, name, 'package.json'), 'utf8')) as {
      dependencies?: Record<string, string>
    }
    for (const dependency of Object.keys(dependencies ?? {})) packages.add(dependency)
  }
  let bytes = 0
  for (const name of packages)
    for (const path of await readdir(join(modules, name), { recursive: true }))
      bytes += (await stat(join(modules, name, path))).blocks * 512
  expect(packages.size).toBeGreaterThan(5)
  expect(packages.size - 1).toBeLessThanOrEqual(12)
  expect(bytes / 1024 ** 2).toBeLessThan(22)
})

test('the package contains the licenses of the libraries in its files', async () => {
  const dist = join(folder, 'node_modules/record-auth-conformance/dist')
  const licenses = await readFile(join(dist, 'THIRD-PARTY-LICENSES.md'), 'utf8')
  const libraries = new Set<string>()
  for (const name of await readdir(join(dist, 'chunks')))
    for (const module of modulesIn(await readFile(join(dist, 'chunks', name), 'utf8'))) {
      const [, library] = /node_modules\/((?:@[^/]+\/)?[^/]+)\/[^\n]*$/.exec(module) ?? []
      if (library !== undefined) libraries.add(library)
    }
  expect(libraries.size).toBeGreaterThan(5)
  expect([...libraries].filter((name) => !licenses.includes(`\n## ${name} `))).toEqual([])
})

test('the command also has the name of the package, which no other package has', async () => {
  const { code, stdout } = await user.run('npx', ['record-auth-conformance', '--version'])
  expect({ code, stdout }).toEqual(
    await conformance(['--version']).then(({ code, stdout }) => ({ code, stdout })),
  )
  expect(code).toBe(0)
})

test('brings every page and file that its pages and messages point at', async () => {
  const home = join(folder, 'node_modules/record-auth-conformance')
  const pages = ['README.md', ...(await readdir(join(home, 'docs'))).filter((name) => name.endsWith('.md'))]
  const scripts = (await readdir(join(home, 'dist'), { recursive: true })).filter((name) =>
    /^(cli|harness|serve)\/.*\.js$/.test(name),
  )
  const named = new Set<string>()
  for (const path of [
    ...pages.map((page) => (page === 'README.md' ? page : `docs/${page}`)),
    ...scripts.map((name) => `dist/${name}`),
  ]) {
    const text = await readFile(join(home, path), 'utf8')
    for (const [found] of text.matchAll(/(?<![\w./-])(?:docs|examples|spec)\/[\w./-]*\w\.(?:md|yaml|json)/g))
      named.add(found)
  }
  expect([...named]).toEqual(expect.arrayContaining(['docs/targets.md', 'spec/tables.yaml']))
  const missing: string[] = []
  for (const path of named) if (!existsSync(join(home, path))) missing.push(path)
  expect(missing).toEqual([])
})

test('CommonJS can load its entries', async () => {
  const program = "console.log(require('record-auth-conformance/reference').createReference().prefix)"
  const { code, stdout } = await user.run('node', ['--input-type=commonjs', '-e', program])
  expect({ code, stdout: stdout.trim() }).toEqual({ code: 0, stdout: '/api/v1' })
})

test('brings what the links on its pages lead to', async () => {
  const home = join(folder, 'node_modules/record-auth-conformance')
  const names = (await readdir(home, { recursive: true })).filter((name) =>
    /^(?!.*node_modules).*\.md$/.test(name),
  )
  expect(names).toEqual(expect.arrayContaining(['README.md', 'docs/serve.md', 'docs/results/audit.md']))
  expect(brokenLinks(home, names)).toEqual([])
})

test('brings the data of the interface, as YAML and as JSON', async () => {
  const program = `
    import { readFileSync } from 'node:fs'
    import { fileURLToPath } from 'node:url'
    import { parse } from 'yaml'
    const read = (name) => readFileSync(fileURLToPath(import.meta.resolve('record-auth-conformance/' + name)), 'utf8')
    const same = (name) => JSON.stringify(parse(read(name + '.yaml'))) === JSON.stringify(JSON.parse(read(name + '.json')))
    const { default: description } = await import('record-auth-conformance/openapi.json', { with: { type: 'json' } })
    console.log(JSON.stringify({
      same: ['openapi', 'gaps', 'tables'].map(same),
      openapi: description.openapi,
      requirements: JSON.parse(read('requirements.json')).requirements.length > 700,
      parts: ['requirements.yaml', 'profile/list.yaml'].map((name) => parse(read(name)).requirements.length > 10),
      schemas: ['target', 'report'].map((name) => typeof JSON.parse(read(name + '.schema.json')).properties),
    }))`
  const { code, stdout } = await user.run('node', ['--no-warnings', '--input-type=module', '-e', program])
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    same: [true, true, true],
    openapi: '3.1.1',
    requirements: true,
    parts: [true, true],
    schemas: ['object', 'object'],
  })
})

test(
  'prints only JSON if JSON is requested',
  async () => {
    const { stdout, code } = await conformance(['--report', 'json=-', '--only', 'list.shape'])
    expect(code).toBe(0)
    expect((JSON.parse(stdout) as { findings: unknown[] }).findings.length).toBeGreaterThan(0)
  },
  3 * MINUTE,
)

describe('mistakes of the user', () => {
  // `npm test` tries all of them from what is built, in cli/mistakes.test.ts.
  test.runIf(inFull).each([
    ['an unknown flag', ['--base-ulr', 'http://127.0.0.1:1'], /--base-url/],
    ['an unreachable target', ['--base-url', 'http://127.0.0.1:1'], /127\.0\.0\.1:1/],
    ['a file that is not there', ['--target', 'nowhere.json'], /nowhere\.json/],
    ['a filter that matches nothing', ['--only', 'list.totl-pages'], /list\.total-pages/],
    ['an id that does not exist', ['explain', 'list.totl-pages'], /list\.total-pages/],
  ])('%s ends with exit code 2 and says so', async (_, args, words) => {
    const { code, stderr, stdout } = await conformance(args)
    expect(`${stdout}${stderr}`).toMatch(words)
    expect(code).toBe(2)
  })

  test('a target file with an unknown key is rejected with the nearest one', async () => {
    await writeFile(join(folder, 'typo.json'), '{"baseUrl":"http://127.0.0.1:1","tabels":{}}')
    const { code, stderr } = await conformance(['--target', 'typo.json'])
    expect(stderr).toMatch(/tabels.*tables/s)
    expect(code).toBe(2)
  })
})

test('the reference as a module loads nothing of the suite, and little', async () => {
  const { printed, modules, urls, kilobytes } = await traced(`
    import { createReference } from 'record-auth-conformance/reference'
    const reference = await createReference()
    const { status } = await reference.fetch('http://x/api/v1/collections/none/records')
    await new Promise((resolve) => setTimeout(resolve, 50))
    console.log(status)`)
  expect(printed).toBe(404)
  expect(urls.length).toBeGreaterThan(10)
  expect(modules).toContain('reference/app.ts')
  const foreign = /^(harness|suites|cli|validate|serve)\/|node_modules\/(ajv|fast-check|@faker-js)\//
  expect(modules.filter((module) => foreign.test(module))).toEqual([])
  expect(urls.filter((url) => url.includes('node_modules/vitest/'))).toEqual([])
  expect(kilobytes).toBeLessThan(1_250)
})

test('the validator as a module loads little, generates no code, and judges', async () => {
  const { printed, modules, kilobytes } = await traced(
    `
    import { createValidator } from 'record-auth-conformance/validate'
    const body = '{"page":1,"perPage":30,"totalItems":31,"totalPages":1,"items":[{"id":1}]}'
    const headers = { 'content-type': 'application/json' }
    const request = { method: 'GET', url: '/api/v1/collections/a/records' }
    const { findings } = createValidator({ profile: 'standard' }).validate({ request, response: { status: 200, headers, body } })
    console.log(JSON.stringify(findings.map(({ requirement }) => requirement)))`,
    ['--disallow-code-generation-from-strings'],
  )
  expect(printed).toContain('list.total-pages')
  // More than the first error: the explanations were found.
  expect(printed).toContain('record.created')
  expect(modules).toContain('validate/create-validator.ts')
  expect(kilobytes).toBeLessThan(1_050)
})
