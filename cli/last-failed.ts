/**
 * What failed the last time on a target, for `--failed`: ids of requirements, in the user's folder for the state of
 * programs, next to the journals of runs.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileStem, stateFolder } from '../harness/cleanup/journal.ts'
import { selects } from '../harness/planning/plan.ts'
import { makeFolder } from '../harness/support/make-folder.ts'
import { rewriteWhole } from '../harness/support/write-whole.ts'
import type { Finding } from '../harness/vocabulary/finding.ts'
import { loadRequirements } from '../spec/requirements.ts'

type Judged = Pick<Finding, 'requirement' | 'status' | 'seenIn'>

/**
 * @param target a URL or a target file. The embedded reference has another port each time
 * @returns undefined if no run on the target is known
 */
export function lastFailed(target: string, folder = stateFolder()): string[] | undefined {
  try {
    const { failed } = JSON.parse(readFileSync(fileOf(target, folder), 'utf8')) as { failed?: unknown }
    return Array.isArray(failed) ? failed.filter((id): id is string => typeof id === 'string') : undefined
  } catch {
    // Nothing was run yet, or the file is damaged.
    return undefined
  }
}

/** The known ids that `--only` selects too. @param only absent: all */
export function selectedOf(ids: readonly string[], only?: readonly string[]): string[] {
  const known = loadRequirements()
  return ids.filter((id) => {
    const requirement = known.get(id)
    return requirement !== undefined && (only?.some((word) => selects(word, requirement)) ?? true)
  })
}

/**
 * Remembers what failed, and the checks that showed it. What the run did not judge keeps its earlier result. Write errors
 * are ignored.
 */
export function rememberFailed(target: string, findings: readonly Judged[], folder = stateFolder()): void {
  const judged = new Set(
    findings
      .filter(({ status }) => status !== 'blocked' && status !== 'untestable')
      .map((each) => each.requirement),
  )
  const earlier = (lastFailed(target, folder) ?? []).filter((id) => !judged.has(id))
  const now = findings
    .filter(({ status }) => status === 'fail' || status === 'warn')
    .flatMap(({ requirement, seenIn }) => (seenIn === undefined ? [requirement] : [requirement, seenIn]))
  const failed = [...new Set([...earlier, ...now])].sort()
  try {
    makeFolder(folder)
    rewriteWhole(fileOf(target, folder), `${JSON.stringify({ target, failed })}\n`)
  } catch {
    // A folder that cannot be written only costs the shortcut.
  }
}

function fileOf(target: string, folder: string): string {
  return join(folder, `${fileStem(target)}.failed.json`)
}
