/**
 * The formats of `--report`, each a function of the report.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/findings.ts'
import { badgeReport } from './badge.ts'
import { htmlReport } from './html.ts'
import { jsonReport } from './json.ts'
import { junitReport } from './junit.ts'
import { markdownReport } from './markdown.ts'

export type ReportFormat = 'json' | 'junit' | 'html' | 'markdown' | 'badge'

export const reportFormats: Readonly<Record<ReportFormat, (report: RunReport) => string>> = {
  json: jsonReport,
  junit: junitReport,
  html: htmlReport,
  markdown: markdownReport,
  badge: badgeReport,
}
