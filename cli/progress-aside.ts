import { createPaint } from '../harness/report/paint.ts'
import { createProgress } from '../harness/report/progress.ts'
import { columnsOf } from './columns-of.ts'
import { isLive } from './is-live.ts'
import { useColor } from './use-color.ts'

/** Shows on stderr how far a run is whose report the command does not print: nothing, if stderr is not live. */
export function progressAside(color: boolean): ReturnType<typeof createProgress> {
  const { stderr } = process
  const columns = columnsOf(stderr)
  return createProgress({
    write: (text) => void stderr.write(text),
    live: isLive(stderr),
    columns,
    reportColumns: columns,
    paint: createPaint(useColor(color, stderr)),
    quiet: !isLive(stderr),
  })
}
