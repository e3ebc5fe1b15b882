/**
 * The reports that `--report` orders, and the annotations of a GitHub job: the same for every command that judges.
 *
 * @module
 */

import { appendFileSync, existsSync, realpathSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { ConfigurationError, messageOf, unwritable } from '../harness/errors.ts'
import { annotationLines } from '../harness/report/annotations.ts'
import { reportFormats } from '../harness/report/formats.ts'
import { expectWritable, isPipeOrDevice, rewriteWhole } from '../harness/support/write-whole.ts'
import type { RunReport } from '../harness/vocabulary/report.ts'
import type { ReportOrder } from './run-options.ts'

/** Whether stdout is for a report alone, so that everything else goes to stderr. */
export function isReportOnStdout(orders: readonly ReportOrder[] = []): boolean {
  return orders.some(({ file }) => file === '-')
}

/**
 * To be called before the work that the reports are about.
 *
 * @throws ConfigurationError if a report cannot be written, or two have the same file
 */
export function expectReportPlaces(orders: readonly ReportOrder[] = []): void {
  const taken = new Map<string, ReportOrder>()
  for (const order of orders) {
    if (order.file === '-') continue
    try {
      expectWritable(order.file)
    } catch (error) {
      throw noReport(order, error)
    }
    const place = placeOf(order.file)
    const other = taken.get(place)
    if (other !== undefined)
      throw new ConfigurationError(
        'two reports have the same file, and the second would overwrite the first',
        `${flagOf(other)} ${flagOf(order)}`,
        'use a different file for each report',
      )
    taken.set(place, order)
  }
}

/**
 * The reports of validated traffic, and its annotations in a GitHub job.
 *
 * @throws ConfigurationError if a report cannot be written
 */
export async function publish(
  report: RunReport,
  { report: orders }: { report?: ReportOrder[] },
  print: (text: string) => void,
): Promise<void> {
  if (process.env.GITHUB_ACTIONS === 'true') for (const line of annotationLines(report)) print(line)
  await writeReports(orders, report)
  await writeStepSummary(report)
}

/** Appends the report to the summary of a GitHub step. A summary that cannot be written fails nothing. */
export async function writeStepSummary(report: RunReport): Promise<void> {
  const { GITHUB_STEP_SUMMARY: file } = process.env
  if (!file) return
  const { markdownReport } = await import('../harness/report/markdown.ts')
  try {
    appendFileSync(file, markdownReport(report))
  } catch (error) {
    process.stderr.write(`the step summary cannot be written (${messageOf(error)})\n`)
  }
}

/** @throws ConfigurationError if a report cannot be written */
export async function writeReports(orders: readonly ReportOrder[] = [], report: RunReport): Promise<void> {
  for (const order of orders) {
    const print = await reportFormats[order.format]()
    writeReport(order, print(report))
  }
}

function writeReport(order: ReportOrder, text: string): void {
  const { file } = order
  if (file === '-') {
    process.stdout.write(text)
    return
  }
  try {
    rewriteWhole(file, text)
  } catch (error) {
    throw noReport(order, error)
  }
}

/** The same for all names of a file. */
function placeOf(file: string): string {
  if (isPipeOrDevice(file)) return resolve(file)
  return existsSync(file) ? realpathSync(file) : join(realpathSync(dirname(file)), basename(file))
}

function flagOf({ format, file }: ReportOrder): string {
  return `--report ${format}=${file}`
}

function noReport(order: ReportOrder, error: unknown): ConfigurationError {
  return unwritable('the report', flagOf(order), error)
}
