/**
 * What the findings of a run say together, as types.
 *
 * @module
 */

import type { Grade } from '../../spec/vocabulary.ts'

/** Findings of one basis by outcome. */
export interface BasisCount {
  /** Findings that count: pass, fail, warn. */
  counted: number
  /** Findings with status `pass`. */
  passed: number
  /** Findings with status `fail`. */
  failed: number
  /** Findings with status `warn`. */
  warned: number
  /** Findings with status `observed`. */
  observed: number
  /** Findings with status `not-applicable`. */
  notApplicable: number
  /** Findings with status `blocked`. */
  blocked: number
  /** Findings with status `untestable`. */
  untestable: number
  /** Those of fail and warn that the baseline lists: not counted as such. */
  known?: number
}

/** How many of the document's operations and requirements a verdict is about. */
export interface Share {
  /**
   * Operations that the target has, of all. Absent if no requirement about the existence of an operation was selected.
   */
  operations?: {
    /** Operations that the target has. */
    present: number
    /** Operations of the document. */
    of: number
  }
  /** Requirements that apply to the target, of all that were selected. */
  requirements: {
    /** Requirements that apply. */
    applicable: number
    /** Requirements that were selected. */
    of: number
  }
}

/** Findings of a claimed profile, by grade. */
export type GradeCounts = Record<Grade, Pick<BasisCount, 'counted' | 'passed'>>

/** The result of a run in one word. `incomplete`: some requirements, or all of them, could not be checked. */
export type Outcome = 'conformant' | 'non-conformant' | 'incomplete' | 'error'

/** What a run says about its target. */
export interface Verdict {
  /** The result in one word. */
  outcome: Outcome
  /** Exit code of the command: 0 conformant, 1 non-conformant, 2 error, 3 incomplete. */
  exitCode: 0 | 1 | 2 | 3
  /** Findings of the document: stated and implied requirements together. */
  document: BasisCount & {
    /** How much was tested, if the target declares a part absent: conformant then means in part. */
    share?: Share
  }
  /** Findings of the profile. */
  profile: BasisCount & {
    /** Whether the target claims the profile. Otherwise its findings are `observed`. */
    claimed: boolean
    /** Name of the profile. */
    name: string
    /** Findings that count, by grade. */
    grades: GradeCounts
  }
  /** The sentences that the terminal prints, one for each line. */
  lines: string[]
}
