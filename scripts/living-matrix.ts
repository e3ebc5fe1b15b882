/**
 * Runs the suite against the embedded reference and published versions of the living server family, and writes the page
 * that compares them: `docs/results/versions.html`. Versions are arguments, or the list below:
 * `npm run living:matrix -- v0.30.4 v0.39.11`. Reports are kept in the cache folder; a version that has one is not run
 * again unless `--again` is given.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { livingEnvironment, startLivingServer } from './living/living-server.ts'
import { livingVersion } from './living/living-version.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const reports = join(root, 'node_modules/.cache/living/reports')
const page = join(root, 'docs/results/versions.html')
/** The last patch of seven minor versions, from the first with this interface to the one that the contract describes. */
const published = ['v0.23.12', 'v0.26.6', 'v0.28.4', 'v0.30.4', 'v0.34.2', 'v0.36.8', 'v0.39.11']

/** Fewer examples of each property, and patience: a busy machine is not a difference between versions. */
const sameForAll = ['--seed', '7', '--runs', '0.3', '--timeout', '60000']

async function command(args: string[], env: NodeJS.ProcessEnv = process.env): Promise<number> {
  const child = spawn(process.execPath, ['--import', 'tsx', join(root, 'cli/main.ts'), ...args], {
    cwd: root,
    env,
    stdio: 'inherit',
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  return code ?? 2
}

/** @returns the file of its report */
async function reportOn(
  name: string,
  again: boolean,
  run: (report: string[]) => Promise<number>,
): Promise<string> {
  const file = join(reports, `${name}.json`)
  if (!again && existsSync(file)) return file
  console.log(`\n${name}`)
  const code = await run([...sameForAll, '--quiet', '--report', `json=${file}`])
  if (code === 2) throw new Error(`${name} could not be judged`)
  return file
}

async function runVersion(version: string, report: string[]): Promise<number> {
  const server = await startLivingServer(await livingVersion(version))
  const state = await mkdtemp(join(tmpdir(), 'living-version-'))
  try {
    const target = ['--target', 'pocketbase', '--base-url', server.baseUrl]
    return await command([...target, ...report], livingEnvironment(server, state))
  } finally {
    await server.stop()
    await rm(state, { recursive: true, force: true })
  }
}

const args = process.argv.slice(2)
const again = args.includes('--again')
const asked = args.filter((arg) => arg !== '--again')
await mkdir(reports, { recursive: true })
const columns = [`reference=${await reportOn('reference', again, command)}`]
for (const version of asked.length > 0 ? asked : published)
  columns.push(`${version}=${await reportOn(version, again, (report) => runVersion(version, report))}`)
process.exitCode = await command(['matrix', ...columns, '--output', page])
