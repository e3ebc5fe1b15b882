/** Writes, and resolves once the stream takes more: a slow reader must not fill the memory. Also resolves without one. */
export function writeAndWait(stream: NodeJS.WritableStream, text: string): Promise<void> {
  return new Promise((resolve) => {
    // Called even if the text cannot be written, where `drain` would not be emitted.
    if (stream.write(text, () => resolve())) resolve()
  })
}
