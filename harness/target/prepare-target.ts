/**
 * Prepares the target of a run from options, file and environment.
 *
 * @module
 */

import type { ProcessEnvironment, TargetOptions } from '../vocabulary/options.ts'
import type { Claim, PreparedTarget } from '../vocabulary/target.ts'
import { claiming, claimOf } from './claim.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { startEmbeddedThread } from './embedded-thread.ts'

export interface Preparation {
  /** @default the process's */
  environment?: ProcessEnvironment
  /** Whether to start the embedded reference twice. @default false */
  twoShards?: boolean
}

/**
 * The target, ready for requests: from a file or a URL, or the embedded reference if neither is given.
 *
 * @throws ConfigurationError
 */
export async function prepareTarget(
  options: TargetOptions,
  seed: number,
  { environment = process.env, twoShards = false }: Preparation = {},
): Promise<PreparedTarget> {
  const { profile, prefix } = options
  const claim = profile === undefined ? undefined : await claimOf(profile, `--profile ${profile}`)
  if (options.baseUrl === undefined && options.target === undefined)
    return embedded({ seed, prefix }, claim, twoShards)
  // Most runs have none, and do not need the module that reads one.
  const { prepareGiven } = await import('./prepare-given.ts')
  return prepareGiven(options, seed, environment, claim)
}

async function embedded(
  own: EmbeddedOptions,
  claim: Claim | undefined,
  twoShards: boolean,
): Promise<PreparedTarget> {
  const starting = [startEmbeddedThread(own), twoShards ? startEmbeddedThread(own) : undefined] as const
  const [first, second] = await Promise.all(starting).catch(async (error: unknown) => {
    for (const each of await Promise.allSettled(starting))
      if (each.status === 'fulfilled') await each.value?.close()
    throw error
  })
  return {
    target: await claiming(first.target, claim, 'the reference'),
    second: second === undefined ? undefined : await claiming(second.target, claim, 'the reference'),
    embedded: true,
    threads: [first, second].flatMap((each) => each?.thread ?? []),
    notes: [],
    async close() {
      await Promise.all([first.close(), second?.close()])
    },
  }
}
