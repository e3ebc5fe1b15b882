/**
 * Whether to colour: the flag, then the conventions of the environment, then whether somebody is looking.
 *
 * @module
 */

export function useColor(flag: boolean, stream: { isTTY?: boolean }): boolean {
  const { NO_COLOR, FORCE_COLOR } = process.env
  if (!flag || NO_COLOR) return false
  if (FORCE_COLOR) return FORCE_COLOR !== '0'
  return stream.isTTY === true
}
