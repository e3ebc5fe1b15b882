/**
 * The test file that vitest runs for the first order.
 *
 * @module
 */

import { runOrder } from './run-order.ts'

await runOrder(0)
