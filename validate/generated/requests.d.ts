/** What `scripts/compile-validators.ts` writes next to this file. */

import type { MakeChecks } from './responses.js'

/** By name; they tell all errors. */
export const requestChecks: MakeChecks
/** JSON: by operation the names of the checks of its bodies, forms and parameters; see `harness/wire/request-mistake.ts`. */
export const requests: string
