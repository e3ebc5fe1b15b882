import { wrapped } from '../harness/report/wrapped.ts'
import { columnsOf } from './columns-of.ts'

/** Prints lines as the report of a run does: wrapped at the width of the terminal, and whole in a pipe or a file. */
export function printLines(stream: NodeJS.WriteStream, lines: readonly string[]): void {
  const columns = columnsOf(stream) ?? Number.POSITIVE_INFINITY
  const rows = lines.flatMap((line) => wrapped(line, columns))
  stream.write(rows.map((row) => `${row}\n`).join(''))
}
