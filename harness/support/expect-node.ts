import { ConfigurationError } from '../errors.ts'

/**
 * Bun replaces undici by a client of its own, without connection pools: the first request would look like one that the
 * server closes.
 *
 * @throws ConfigurationError in Bun
 */
export function expectNode({ bun }: Partial<Record<string, string>> = process.versions): void {
  if (bun === undefined) return
  throw new ConfigurationError(
    'the suite needs Node',
    `Bun ${bun}`,
    'run `bunx conformance` without --bun, with Node installed. The reference and the validator work in Bun',
  )
}
