/**
 * Proof by consumers in Go: a generator makes clients of descriptions of the shop, which compile and run against the
 * served shop, and a validator checks the descriptions. Both are tools of the module in `go/`.
 */

import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type DescribeOptions, describeTables, writeDescription } from '../../openapi/openapi.ts'
import { inFull } from '../../scripts/support/in-full.ts'
import { userEnvironment } from '../../scripts/support/user-environment.ts'
import { shopTables } from './shop.ts'
import { serveShop } from './shop-world.ts'

const run = promisify(execFile)
const module = fileURLToPath(new URL('go', import.meta.url))
/** The first time, Go compiles the tools. */
const QUARTER_HOUR = 900_000

/** Undefined if there is a Go that can read the module. */
async function missingGo(): Promise<string | undefined> {
  try {
    const [, wanted = ''] = /^go (\d+\.\d+)/m.exec(await readFile(join(module, 'go.mod'), 'utf8')) ?? []
    const { stdout } = await run('go', ['env', 'GOVERSION'])
    const [, found = ''] = /^go(\d+\.\d+)/.exec(stdout) ?? []
    const isOld = found.localeCompare(wanted, 'en', { numeric: true }) < 0
    return isOld ? `Go ${wanted} is needed, and this is ${found}` : undefined
  } catch {
    return 'there is no go'
  }
}
const missing = await missingGo()
if (missing !== undefined) console.log(`Skipped, a client in Go: ${missing}.`)

const textOf = (options: DescribeOptions) => writeDescription(describeTables(shopTables(), options), 'yaml')

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shop-go-'))
  await cp(module, folder, { recursive: true })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function go(args: readonly string[], env: Record<string, string> = {}) {
  return run('go', args, { cwd: folder, env: { ...userEnvironment(), ...env }, maxBuffer: 10_000_000 })
}

const perTable = `rejected: 400 true
ann@example.com customer
list: 8 in 3
Lamp 24 24.5 [sale] Lamps
Lamp 22 22.5 [sale] Lamps
Lamp 20 20.5 [sale] Lamps
orders 8
count: 2
total: 21
not found: 404
invalid: true
`

// Compiling the tools takes a minute of both cores.
describe.runIf(inFull && missing === undefined)('in Go', () => {
  it.each([
    // For the generators that read no newer version.
    ['pertable', { paths: 'per-table', openapi: '3.0' }, perTable],
    ['byparameter', { paths: 'enum', openapi: '3.1' }, 'true 0.5\ntrue\n'],
  ] as const)(
    'the client "%s" compiles, and runs',
    async (client, options, output) => {
      await mkdir(join(folder, client, 'shop'), { recursive: true })
      await writeFile(join(folder, client, 'description.yaml'), textOf(options))
      await go(['generate', `./${client}`])
      await go(['vet', `./${client}/...`])
      const serving = await serveShop()
      try {
        const { stdout } = await go(['run', `./${client}`], { BASE_URL: serving.url })
        expect(stdout).toBe(output)
      } finally {
        await serving.close()
      }
    },
    QUARTER_HOUR,
  )

  it(
    'kin-openapi finds no problem, and would find one',
    async () => {
      const forms: DescribeOptions[] = (['enum', 'per-table'] as const).flatMap((paths) =>
        (['3.1', '3.0'] as const).map((openapi) => ({ paths, openapi })),
      )
      const files = await Promise.all(
        forms.map(async (options, at) => {
          const file = join(folder, `${at}.yaml`)
          await writeFile(file, textOf(options))
          return file
        }),
      )
      const general = fileURLToPath(new URL('../../spec/openapi.yaml', import.meta.url))
      expect(await go(['run', './validate', general, ...files])).toMatchObject({
        stdout: 'descriptions: 5, problems: 0\n',
      })
      const broken = join(folder, 'broken.yaml')
      await writeFile(broken, textOf({}).replace('type: boolean', 'type: logical'))
      await expect(go(['run', './validate', broken])).rejects.toMatchObject({
        stdout: expect.stringContaining('descriptions: 1, problems: '),
      })
    },
    QUARTER_HOUR,
  )
})
