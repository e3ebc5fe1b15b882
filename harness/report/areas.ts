/**
 * Findings by the area of their requirement.
 *
 * @module
 */

import type { Finding } from '../vocabulary/findings.ts'

/** Areas in the order of their first finding; `list` holds `list.shape`, `list.page`, ... */
export function areasOf(findings: readonly Finding[]): Map<string, Finding[]> {
  const areas = new Map<string, Finding[]>()
  for (const finding of findings) {
    const area = finding.requirement.split('.')[0] ?? ''
    const known = areas.get(area)
    if (known === undefined) areas.set(area, [finding])
    else known.push(finding)
  }
  return areas
}
