/** What `scripts/compile-validators.ts` writes next to this file. Loads nothing and evaluates no text as code. */

import type { MakeChecks } from './responses.js'

/** The checks of `responses.js` by the same names, which report all errors. */
export const explanations: MakeChecks
