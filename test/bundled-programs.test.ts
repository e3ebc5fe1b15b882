/**
 * Programs that a bundler made of the installed package: the reference and the validator are part of the bundle, and the
 * suite says that it cannot be.
 */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { inSample } from '../scripts/support/in-full.ts'
import { type InstalledPackage, installPackage } from './support/installed-package.ts'
import { bad, finding, good, path } from './validate/responding-server.ts'

let user: InstalledPackage
/** Of the bundles: nothing that they lack may be found next to them. */
const folder = mkdtempSync(join(tmpdir(), 'bundled-programs-'))
beforeAll(async () => {
  user = await installPackage()
}, 240_000)
afterAll(() => {
  rmSync(folder, { recursive: true })
  return user.remove()
})

const server = `
import { createServer } from 'node:http'
import { connectConform } from 'record-auth-conformance/validate'
const results = []
const conforms = connectConform({ mode: process.argv[2], onResult: ({ findings }) => results.push(findings.length) })
const server = createServer((request, response) =>
  conforms(request, response, () => {
    response.setHeader('content-type', 'application/json')
    response.end(request.url.endsWith('good') ? ${JSON.stringify(good)} : ${JSON.stringify(bad)})
  }),
)
server.listen(0, '127.0.0.1', async () => {
  const received = []
  for (const kind of ['good', 'bad', 'good']) {
    const response = await fetch('http://127.0.0.1:' + server.address().port + ${JSON.stringify(path)} + '?' + kind)
    received.push([response.status, response.headers.get('x-conformance')])
  }
  console.log(JSON.stringify({ received, results }))
  process.exit()
})
`

const twoErrors = `
import { createValidator } from 'record-auth-conformance/validate'
const headers = { 'content-type': 'application/json' }
const request = { method: 'GET', url: ${JSON.stringify(path)} }
const response = { status: 200, headers, body: '{"page":"x","perPage":"x"}' }
console.log(JSON.stringify(createValidator().validate({ request, response }).findings.map((one) => one.requirement)))
`

const reference = `
import { createReference } from 'record-auth-conformance/reference'
const fields = [{ name: 'title', type: 'text', pattern: '^[a-c]+x?$' }]
const reference = createReference({ tables: [{ name: 'docs', listRule: '', createRule: '', fields }] })
async function main() {
  const { url } = await reference.listen()
  const statuses = []
  for (const title of ['abx', 'ABX']) {
    const method = 'POST'
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ title })
    statuses.push((await fetch(url + '/api/v1/collections/docs/records', { method, headers, body })).status)
  }
  console.log(JSON.stringify(statuses))
  await reference.close()
}
main()
`

const suite = `
import { runConformance } from 'record-auth-conformance'
runConformance({ only: ['view.*'] }).catch(({ message }) => console.log(message))
`

const formats = [
  ['cjs', 'cjs'],
  ['esm', 'mjs'],
] as const

describe.each(formats.filter(inSample(2)))('as %s', (format, ending) => {
  async function bundled(name: string, contents: string): Promise<string> {
    const outfile = join(folder, `${name}.${ending}`)
    const stdin = { contents, resolveDir: user.folder }
    // What the package loads by its place says so when it is used.
    const logOverride = { 'empty-import-meta': 'silent' } as const
    await build({
      stdin,
      outfile,
      bundle: true,
      platform: 'node',
      format,
      logOverride,
      logLevel: 'error',
    })
    return outfile
  }

  const modes = [
    ['fail', [500, `${finding} $.totalPages`]],
    ['mark', [200, `${finding} $.totalPages`]],
    ['report', [200, null]],
  ] as const
  it.each(modes.filter(inSample(3)))('the middleware, with %s', async (mode, violating) => {
    const file = await bundled('server', server)
    const { stdout, stderr } = await user.run('node', [file, mode])
    expect([stderr, JSON.parse(stdout)]).toEqual([
      '',
      { received: [[200, null], violating, [200, null]], results: [0, 1, 0] },
    ])
  })

  it('the validator, with all errors of a response', async () => {
    const { stdout } = await user.run('node', [await bundled('errors', twoErrors)])
    expect(JSON.parse(stdout)).toEqual(expect.arrayContaining(['list.page', 'list.per-page', 'list.items']))
  })

  it('the reference, with a pattern that is not a RegExp', async () => {
    const { stdout } = await user.run('node', [await bundled('reference', reference)])
    expect(JSON.parse(stdout)).toEqual([200, 400])
  })

  it('the suite names the next step', async () => {
    const { stdout, stderr } = await user.run('node', [await bundled('suite', suite)])
    expect([stderr, stdout]).toEqual(['', expect.stringContaining('mark the package as external')])
  })
})
