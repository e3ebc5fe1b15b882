/** One of a list, chosen by any natural number. */
export function pick<T>(list: readonly T[], choice: number): T | undefined {
  return list[choice % Math.max(1, list.length)]
}
