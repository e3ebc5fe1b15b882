/**
 * Limits of processor time.
 *
 * @module
 */

import { expect } from 'vitest'
import { slowness } from '../../scripts/support/slowness.ts'

/** Expects that work took less time than the limit. A slow machine may take longer, by as much as it is slow. */
export function expectWithin(time: number, limit: number): void {
  expect(time < limit ? time : time / slowness()).toBeLessThan(limit)
}
