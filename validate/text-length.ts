/** Length in characters, as JSON Schema counts: a surrogate pair counts as one, and so does a lone surrogate. */
export function textLength(text: string): number {
  let pairs = 0
  for (let at = 1; at < text.length; at++) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800) pairs += 1
  }
  return text.length - pairs
}
