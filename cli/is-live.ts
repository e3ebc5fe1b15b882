/** Whether a stream shows a line that changes. In CI, even a terminal keeps every state of it. */
export function isLive(stream: NodeJS.WriteStream): boolean {
  return stream.isTTY === true && !process.env.CI
}
