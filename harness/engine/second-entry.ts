/**
 * The test file that vitest runs for the second order, where there is one.
 *
 * @module
 */

import { runOrder } from './run-order.ts'

await runOrder(1)
