const units: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** How `timeSpan` can be written, for messages. */
export const timeSpanForms = 'milliseconds, or a string such as 90s, 15m, 2h or 1d'

/** Milliseconds of a number, or of a string such as `90s`, `15m`, `2h`, `1d`. Undefined for anything else. */
export function timeSpan(given: unknown): number | undefined {
  if (typeof given === 'number') return Number.isFinite(given) ? given : undefined
  if (typeof given !== 'string') return undefined
  const [, amount, unit = ''] = /^(-?\d+(?:\.\d+)?) ?(ms|s|m|h|d)$/.exec(given) ?? []
  const factor = units[unit]
  return amount === undefined || factor === undefined ? undefined : Number(amount) * factor
}
