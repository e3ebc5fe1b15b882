/**
 * Runs the suite against the living server family: starts the server, and hands it to the command as any user would,
 * by `--target pocketbase` with the superuser in the environment. Arguments go on to the command:
 * `npm run living -- --only 'list.*'`.
 *
 * With `--write-results` it runs with the baseline of `docs/results/`, brings that up to date, and writes the table.
 * With `--random N` it compares the responses of the server and of the reference to N random lists, and to as many of the
 * other requests as fit to them.
 * If the server is not available (no `POCKETBASE_BIN`, no Go), it says so and exits with code 0.
 *
 * @module
 */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readBaseline } from '../harness/judging/read-baseline.ts'
import { updateBaseline } from '../harness/judging/update-baseline.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { loadRequirements } from '../spec/requirements.ts'
import { livingBinary, livingEnvironment, startLivingServer } from './living/living-server.ts'
import { printComparison } from './living/random/print-comparison.ts'
import { resultsPage } from './living/results-page.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const command = ['--import', 'tsx', join(root, 'cli/main.ts')]
const baseline = join(root, 'docs/results/living-server.known.yaml')
const page = join(root, 'docs/results/living-server.md')

async function runLiving(args: string[]): Promise<number> {
  const binary = await livingBinary()
  if ('missing' in binary) {
    console.log(`Not run: ${binary.missing}. Set POCKETBASE_BIN or install Go to run this.`)
    return 0
  }
  if (args.some((arg) => arg === '--random' || arg.startsWith('--random=')))
    return printComparison(args, binary.path)
  const writing = args.includes('--write-results')
  const own = args.filter((arg) => arg !== '--write-results')
  const server = await startLivingServer(binary.path)
  const folder = await mkdtemp(join(tmpdir(), 'living-run-'))
  const file = join(folder, 'report.json')
  const report = writing ? ['--report', `json=${file}`, '--seed', '7'] : []
  const known = args.includes('--baseline') || writing ? [] : ['--baseline', baseline]
  try {
    const target = ['--target', 'pocketbase', '--base-url', server.baseUrl]
    const child = spawn(process.execPath, [...command, ...target, ...known, ...report, ...own], {
      stdio: 'inherit',
      cwd: root,
      env: livingEnvironment(server, folder),
    })
    const [code] = (await once(child, 'exit')) as [number | null]
    if (writing) await writeResults(file)
    return writing ? 0 : (code ?? 2)
  } finally {
    await server.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

async function writeResults(file: string): Promise<void> {
  const report = JSON.parse(await readFile(file, 'utf8')) as RunReport
  const ids = [...loadRequirements().keys()]
  const { text, added, removed } = updateBaseline(
    await readFile(baseline, 'utf8').catch(() => ''),
    report.findings,
    ids,
    baseline,
  )
  await writeFile(baseline, text)
  await writeFile(page, resultsPage(report, readBaseline(baseline, ids)))
  console.log(`docs/results: ${added.length} added (${added.join(', ')}), ${removed.length} removed`)
}

process.exitCode = await runLiving(process.argv.slice(2))
