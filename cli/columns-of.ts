/** Width of the terminal, or `COLUMNS` where the output is none. Undefined: lines are as long as they are. */
export function columnsOf(stream: { columns?: number }): number | undefined {
  const given = Number(process.env.COLUMNS)
  return stream.columns ?? (Number.isInteger(given) && given >= least ? given : undefined)
}

/** Below it, a word takes a line. */
const least = 20
