/**
 * What a piece of work costs.
 *
 * @module
 */

/**
 * @returns the result, and the milliseconds of this process on the processor: what others do meanwhile on the machine
 *   does not count
 */
export function timed<T>(work: () => T): [T, number] {
  const begin = process.cpuUsage()
  const result = work()
  const { user, system } = process.cpuUsage(begin)
  return [result, (user + system) / 1_000]
}
