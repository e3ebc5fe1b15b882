/**
 * The formats of `--report`: each prints a report, and is loaded when one is written in it.
 *
 * @module
 */

import type { RunReport } from '../vocabulary/report.ts'

export type ReportFormat = 'json' | 'junit' | 'html' | 'markdown' | 'badge'

export const reportFormats: Readonly<Record<ReportFormat, () => Promise<(report: RunReport) => string>>> = {
  json: async () => (await import('./json.ts')).jsonReport,
  junit: async () => (await import('./junit.ts')).junitReport,
  html: async () => (await import('./html.ts')).htmlReport,
  markdown: async () => (await import('./markdown.ts')).markdownReport,
  badge: async () => (await import('./badge.ts')).badgeReport,
}
