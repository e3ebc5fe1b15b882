/**
 * Whether to use colors: decided by the flag, then the environment variables, then whether the output is a terminal.
 *
 * @module
 */

export function useColor(flag: boolean, stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env
  if (!flag || NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0'
  return stream.isTTY === true
}
