import { createLiveLine } from '../harness/report/live-line.ts'
import { columnsOf } from './columns-of.ts'
import { isLive } from './is-live.ts'

/** A command that is silent for longer looks as if it hangs. */
const longestSilence = 1_000

/**
 * Shows on stderr what a command is doing, if that takes longer than a second. Stdout has the result only.
 *
 * @param work called with a function that says what is done next
 */
export async function withProgress<Result>(
  state: string,
  work: (say: (state: string) => void) => Promise<Result>,
): Promise<Result> {
  const { stderr } = process
  const line = createLiveLine({
    write: (text) => void stderr.write(text),
    live: isLive(stderr),
    columns: columnsOf(stderr) ?? 80,
    state,
    plainEvery: longestSilence,
  })
  try {
    return await work(line.say)
  } finally {
    line.end()
  }
}
