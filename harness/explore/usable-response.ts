import { BlockedError, BrokenConnectionError, ExpectationError, RateLimitedError } from '../judging/expect.ts'

/** Attempts of a request whose connection breaks. A record that was created twice is found by its text. */
const mostTries = 3

/** Sends a request before the checks; undefined if its response cannot be used. */
export type TrySend = <T>(request: () => Promise<T>) => Promise<T | undefined>

/**
 * The result of a request that is sent before the checks. Undefined if a server that responds sends no response that can
 * be used: one that cannot be decoded, that is too large or nested too deep, that is not HTTP, that never comes, or a 429 to
 * the end. None of these ends a run: the checks get the same responses, and report them.
 *
 * @param onProblem is given what was wrong with the response
 */
export async function usableResponse<T>(
  request: () => Promise<T>,
  onProblem: (problem: string) => void = () => {},
  tries = mostTries,
): Promise<T | undefined> {
  try {
    return await request()
  } catch (error) {
    // A response that does not come takes the whole time limit each time.
    if (error instanceof BrokenConnectionError && tries > 1 && error.fault !== 'timeout')
      return usableResponse(request, onProblem, tries - 1)
    // A record that is not proven to be this run's is left alone.
    const isUnusable = [ExpectationError, RateLimitedError, BlockedError].some(
      (kind) => error instanceof kind,
    )
    if (!isUnusable) throw error
    onProblem((error as Error).message)
    return undefined
  }
}
