/** For longer strings a callback for each run of letters would take longer than reading each character. */
const long = 200

/** Whether all characters are ASCII. */
export function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: what is not ASCII
  return !/[^\x00-\x7f]/.test(text)
}

/**
 * Converts only A to Z to lower case, and keeps other letters, as the living family does (contract-records 2.5, 2.8).
 */
export function lowerAscii(text: string): string {
  if (!/[A-Z]/.test(text)) return text
  if (isAscii(text)) return text.toLowerCase()
  if (text.length > long) return lowerUnits(text)
  return text.replace(/[A-Z]+/g, (run) => run.toLowerCase())
}

function lowerUnits(text: string): string {
  const bytes = Buffer.from(text, 'utf16le')
  const units = new Uint16Array(bytes.buffer, bytes.byteOffset, text.length)
  for (let at = 0; at < units.length; at += 1) {
    const unit = units[at] as number
    if (unit >= 0x41 && unit <= 0x5a) units[at] = unit + 0x20
  }
  return bytes.toString('utf16le')
}
