/**
 * Prepares the target of a run from options, file and environment.
 *
 * @module
 */

import type { TargetOptions } from '../vocabulary/options.ts'
import type { Claim, PreparedTarget } from '../vocabulary/target.ts'
import { claiming, claimOf } from './claim.ts'
import type { EmbeddedOptions } from './embedded.ts'
import { startEmbeddedThread } from './embedded-thread.ts'

export interface Preparation {
  /** @default that of the process */
  environment?: Readonly<Record<string, string | undefined>>
  /** Whether to start the embedded reference twice. @default false */
  twin?: boolean
}

/**
 * The target, ready for requests: from a file or a URL, or the embedded reference if neither is given.
 *
 * @throws ConfigurationError
 */
export async function prepareTarget(
  options: TargetOptions,
  seed: number,
  { environment = process.env, twin = false }: Preparation = {},
): Promise<PreparedTarget> {
  const { profile, prefix } = options
  const claim = profile === undefined ? undefined : await claimOf(profile, `--profile ${profile}`)
  if (options.baseUrl === undefined && options.target === undefined)
    return embedded({ seed, prefix }, claim, twin)
  // Most runs have none, and do not need the module that reads one.
  const { prepareGiven } = await import('./prepare-given.ts')
  return prepareGiven(options, seed, environment, claim)
}

async function embedded(
  own: EmbeddedOptions,
  claim: Claim | undefined,
  twin: boolean,
): Promise<PreparedTarget> {
  const starting = [startEmbeddedThread(own), twin ? startEmbeddedThread(own) : undefined] as const
  const [first, second] = await Promise.all(starting).catch(async (error: unknown) => {
    for (const each of await Promise.allSettled(starting))
      if (each.status === 'fulfilled') await each.value?.close()
    throw error
  })
  return {
    target: await claiming(first.target, claim, 'the reference'),
    twin: second === undefined ? undefined : await claiming(second.target, claim, 'the reference'),
    embedded: true,
    threads: [first, second].flatMap((each) => each?.thread ?? []),
    notes: [],
    async close() {
      await Promise.all([first.close(), second?.close()])
    },
  }
}
