export interface LineSplitter {
  /** The next piece of the text. @returns the lines that end in it, without their line feeds */
  feed(text: string): string[]
  /** The text after the last line feed. */
  end(): string
}

/** Splits a text into lines as it arrives. */
export function createLineSplitter(): LineSplitter {
  let begun: string[] = []
  return {
    feed(text) {
      const [first = '', ...rest] = text.split('\n')
      begun.push(first)
      if (rest.length === 0) return []
      const lines = [begun.join(''), ...rest]
      begun = [lines.pop() ?? '']
      return lines
    },
    end: () => begun.join(''),
  }
}
