/**
 * Runs the suite against the living server family: starts the server, gives it our tables, hands it to the command.
 * Arguments go on to the command: `npm run living -- --only 'list.*'`.
 *
 * Where the server cannot be had (no `POCKETBASE_BIN`, no Go) it says that nothing was run, and ends well.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startServices } from '../harness/services.ts'
import { withProvider } from '../harness/with-provider.ts'
import { loadTables, tableDefinitions } from '../spec/tables.ts'
import { livingBinary, startLivingServer } from '../test/living/living-server.ts'

const command = fileURLToPath(new URL('../cli/main.ts', import.meta.url))

async function runLiving(args: string[]): Promise<number> {
  const binary = await livingBinary()
  if ('missing' in binary) {
    console.log(`Not run: ${binary.missing}. Set POCKETBASE_BIN or install Go to run this.`)
    return 0
  }
  const server = await startLivingServer(binary.path)
  const folder = await mkdtemp(join(tmpdir(), 'living-target-'))
  const services = await startServices({ smtp: {}, oidc: {} })
  const { smtp, provider } = services
  try {
    if (smtp !== undefined) await server.sendMailsTo(smtp)
    const definitions = tableDefinitions()
    await server.importTables(provider === undefined ? definitions : withProvider(definitions, provider))
    const tables = loadTables().map(({ role, definition: { name, id } }) => [role, { name, id }])
    const target = {
      baseUrl: server.baseUrl,
      name: 'living server family',
      profile: 'standard',
      prefix: '/api',
      tables: Object.fromEntries(tables),
      hooks: services.hooks,
      credentials: { superuser: { signIn: { table: '_superusers', ...server.superuser } } },
    }
    const file = join(folder, 'target.json')
    await writeFile(file, JSON.stringify(target), { mode: 0o600 })
    const child = spawn(process.execPath, [...process.execArgv, command, '--target', file, ...args], {
      stdio: 'inherit',
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 2
  } finally {
    await server.stop()
    await services.close()
    await rm(folder, { recursive: true, force: true })
  }
}

process.exitCode = await runLiving(process.argv.slice(2))
