/**
 * Width of the terminal, 80 if it does not say, or `COLUMNS` if the output is not a terminal. Undefined: lines are not
 * wrapped, so that what reads a pipe or a file gets whole lines.
 */
export function columnsOf(
  stream: { isTTY?: boolean; columns?: number },
  { COLUMNS }: NodeJS.ProcessEnv = process.env,
): number | undefined {
  if (isWidth(stream.columns)) return stream.columns
  const given = Number(COLUMNS)
  if (isWidth(given)) return given
  return stream.isTTY === true ? usual : undefined
}

/** Some terminals, for example in containers, report 0. Below the minimum, a word takes a line. */
function isWidth(columns: number | undefined): columns is number {
  return columns !== undefined && Number.isInteger(columns) && columns >= least
}

const least = 20
const usual = 80
