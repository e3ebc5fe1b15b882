/** Width of the terminal, or `COLUMNS` if the output is not a terminal. Undefined: lines are not wrapped. */
export function columnsOf(stream: { columns?: number }): number | undefined {
  const given = Number(process.env.COLUMNS)
  return stream.columns ?? (Number.isInteger(given) && given >= least ? given : undefined)
}

/** Below it, a word takes a line. */
const least = 20
