/**
 * How slow this machine is at present. Some tests limit the processor time of a piece of work, and a slow machine takes
 * several times as much for anything.
 *
 * @module
 */

/**
 * The processor time of a fixed piece of work, the best of three, over what it took on the machine on which the limits
 * of the tests were set. Uses nothing outside itself: its text also runs in another process.
 *
 * @returns at least 1
 */
export function slowness(): number {
  /** Milliseconds on that machine. */
  const usual = 11.5
  const turn = () => {
    const before = process.cpuUsage()
    let value = 0
    // With a fraction: whole numbers get quicker instructions from the compiler, but not from the first turn on.
    for (let step = 0; step < 5e6; step++) value = (value * 31.5 + step) | 0
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1_000
  }
  return Math.max(1, Math.min(turn(), turn(), turn()) / usual)
}
