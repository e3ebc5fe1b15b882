/**
 * Errors of functions that wait, with the line that called them. Behind a timer, or behind the queue of the store, an
 * error is created where no caller is on the stack, and a test runner could not show the line of the test.
 *
 * @module
 */

/**
 * The same function. An error that its promise rejects with ends with the frames of the caller, unless it has them.
 *
 * @param call what is thrown before it returns a promise has the frames of the caller anyway
 */
export function withCallSite<Given extends readonly unknown[], Result>(
  call: (...given: Given) => Promise<Result>,
): (...given: Given) => Promise<Result> {
  return async function called(...given) {
    const here: { stack?: string } = {}
    Error.captureStackTrace(here, called)
    try {
      return await call(...given)
    } catch (error) {
      if (error instanceof Error) addFrames(error, here.stack)
      throw error
    }
  }
}

function addFrames(error: Error, stack: string | undefined): void {
  const frames = stack?.split('\n').slice(1) ?? []
  const [first] = frames
  if (first === undefined || error.stack === undefined || error.stack.includes(placeIn(first))) return
  error.stack = [error.stack, ...frames].join('\n')
}

/** File, line and column of a frame, which an awaited call spells otherwise: `at async f (file:///x.ts:1:2)`. */
function placeIn(frame: string): string {
  const start = Math.max(frame.lastIndexOf('('), frame.lastIndexOf(' ')) + 1
  return frame.slice(start, frame.endsWith(')') ? -1 : undefined)
}
