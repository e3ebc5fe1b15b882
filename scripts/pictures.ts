/**
 * Takes the pictures of the README from the real output of a run: its terminal as SVG, and its HTML report in Chromium.
 *
 *     npx tsx scripts/pictures.ts                    # runs the suite on a small server with a mistake, some minutes
 *     npx tsx scripts/pictures.ts --from report.json # takes the report of an earlier run
 *     npx tsx scripts/pictures.ts --views FOLDER     # also: 0, 1 and 40 failures, wide and narrow, light and dark, print,
 *                                                    # and the pages that `serve` has
 *
 * Chromium is looked for at CHROMIUM and at the usual place. Without it, only the SVG is written.
 *
 * @module
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'
import { verdictOf } from '../harness/judging/verdict.ts'
import { htmlReport } from '../harness/report/html.ts'
import { createPaint } from '../harness/report/paint.ts'
import { headline, reportLines, smokeLines } from '../harness/report/terminal.ts'
import { wrapped } from '../harness/report/wrapped.ts'
import { runConformance } from '../harness/run.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import { takeServedPictures } from './served-pictures.ts'
import { chromiumPath, openBrowser } from './support/browser.ts'
import { startNotesServer } from './support/notes-server.ts'
import { terminalSvg } from './terminal-svg.ts'

const pictures = fileURLToPath(new URL('../docs/pictures/', import.meta.url))
/** One screen. */
const screen = { columns: 90, rows: 26 }

const { values } = parseArgs({
  options: {
    from: { type: 'string' },
    views: { type: 'string' },
    output: { type: 'string', default: pictures },
  },
})
const { from, views, output } = values
const report =
  from === undefined ? await freshReport() : (JSON.parse(readFileSync(from, 'utf8')) as RunReport)
mkdirSync(output, { recursive: true })
writeFileSync(join(output, 'run.svg'), runPicture(report))
if (chromiumPath === undefined) console.warn('no Chromium here: the picture of the report was not taken')
else {
  await takePicture(htmlReport(report), join(output, 'report.png'), { width: 1000, height: 720 })
  if (views !== undefined) {
    await takeViews(report, views)
    await takeServedPictures(views)
  }
}

async function freshReport(): Promise<RunReport> {
  const server = await startNotesServer('page-offset')
  try {
    return await runConformance({ baseUrl: server.url, seed: 7 })
  } finally {
    await server.close()
  }
}

function runPicture({ suite, target, seed, smoke, ...rest }: RunReport): string {
  const paint = createPaint(true)
  const lines = [
    `$ npx conformance --base-url ${target.baseUrl}`,
    headline(suite.name, suite.version, target.baseUrl, target.baseUrl, seed),
    ...smokeLines(smoke, paint),
    ...reportLines({ suite, target, seed, smoke, ...rest }, { paint }),
  ].flatMap((line) => wrapped(line, screen.columns))
  return terminalSvg(lines.slice(0, screen.rows), screen.columns, 'The first screen of a run in a terminal')
}

interface View {
  width: number
  height: number
  colorScheme?: 'light' | 'dark'
  print?: boolean
}

async function takePicture(
  html: string,
  file: string,
  { width, height, colorScheme, print }: View,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'pictures-'))
  const browser = await openBrowser({ viewport: { width, height }, colorScheme: colorScheme ?? 'light' })
  try {
    writeFileSync(join(folder, 'report.html'), html)
    const page = await browser.context.newPage()
    if (print === true) await page.emulateMedia({ media: 'print' })
    await page.goto(pathToFileURL(join(folder, 'report.html')).href)
    await page.screenshot({ path: file })
  } finally {
    await browser.close()
    rmSync(folder, { recursive: true })
  }
}

/** The same report with this many failures, in every format. */
async function takeViews(of: RunReport, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const failures of [0, 1, 40]) {
    const html = htmlReport(withFailures(of, failures))
    for (const [name, view] of Object.entries<View>({
      'wide-light': { width: 1280, height: 900 },
      'wide-dark': { width: 1280, height: 900, colorScheme: 'dark' },
      'narrow-light': { width: 390, height: 844 },
      'narrow-dark': { width: 390, height: 844, colorScheme: 'dark' },
      print: { width: 800, height: 1100, print: true },
    }))
      await takePicture(html, join(folder, `${failures}-${name}.png`), view)
  }
}

function withFailures(of: RunReport, failures: number): RunReport {
  const failed = of.findings.find(({ status }) => status === 'fail')
  let left = failures
  const findings = of.findings.map((finding) => {
    if (finding.basis === 'profile' || !['fail', 'pass'].includes(finding.status)) return finding
    left -= 1
    if (left < 0) return { ...finding, status: 'pass' as const, message: '', exchanges: [], curl: [] }
    const { requirement, statement, source } = finding
    return {
      ...failed,
      ...finding,
      ...failureOf(failed),
      requirement,
      statement,
      source,
      status: 'fail' as const,
    }
  })
  const verdict = verdictOf({ findings })
  return { ...of, findings, verdict }
}

function failureOf(failed: RunReport['findings'][number] | undefined) {
  if (failed === undefined) return {}
  const { message, expected, received, exchanges, curl, replay } = failed
  return { message, expected, received, exchanges, curl, replay }
}
