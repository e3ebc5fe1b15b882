/**
 * A process for one mutant: the modules of the reference are loaded once in a process.
 *
 * @module
 */

import { register } from 'node:module'
import type { Mutant } from '../mutant.ts'

export interface MutantJob {
  mutant: Mutant
  seed: number
  whole: boolean
}

process.once('message', async ({ mutant, seed, whole }: MutantJob) => {
  register('./load-mutated.ts', { parentURL: import.meta.url, data: mutant.changes })
  const { runMutant } = await import('./run-mutant.ts')
  process.send?.(await runMutant(mutant, seed, whole))
})

process.on('disconnect', () => process.exit())
