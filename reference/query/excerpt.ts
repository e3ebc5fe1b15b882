/**
 * The modifier `:excerpt` of `fields` (contract-records 1.7): from HTML to plain text.
 *
 * @module
 */

/** Elements without text for a reader. */
const DROPPED =
  /<(head|style|script|iframe|embed|object|noscript|template|svg)\b[^>]*>[\s\S]*?(<\/\1\s*>|$)/gi
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
const TAG = /<\/?([a-z][a-z0-9-]*)\b[^>]*>|<![^>]*>/gi
/** Inline elements: they are not replaced with a space. */
const INLINE = new Set(
  'a abbr acronym b bdo big br button cite code em i label q small span strong strike sub sup time'.split(
    ' ',
  ),
)
const ENTITIES: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: '\u00a0' }),
)

/**
 * Plain text of HTML, cut to a number of characters (contract-records 1.7): tags are removed, white space collapses.
 *
 * @param max characters that are kept, at least 1
 * @param withEllipsis add three dots to a text that was cut
 */
export function excerpt(html: string, max: number, withEllipsis: boolean): string {
  const text = withoutTags(withoutDropped(html.replace(COMMENT, '')))
  const plain = decode(text).replace(/\s+/g, ' ').trim()
  if (plain.length <= max) return plain
  // A character has at most two units. Only the first characters matter, and whether there are more.
  const chars = [...plain.slice(0, 2 * max + 2)]
  if (chars.length <= max) return plain
  const cut = chars.slice(0, max).join('').trim()
  return withEllipsis ? `${cut}...` : cut
}

function withoutDropped(html: string): string {
  let [tagged, rest] = cutBehindTags(html)
  tagged = tagged.replace(DROPPED, (_, _name, close: string) => {
    // An element that is never closed extends to the end of the text.
    if (close === '') rest = ''
    return ''
  })
  return tagged + rest
}

function withoutTags(html: string): string {
  const [tagged, rest] = cutBehindTags(html)
  const text = tagged.replace(TAG, (_, name?: string) => {
    return name !== undefined && INLINE.has(name.toLowerCase()) ? '' : ' '
  })
  return text + rest
}

/** No tag ends after the last `>`: without this check a search would run to the end of the text from every `<`. */
function cutBehindTags(html: string): [tagged: string, rest: string] {
  const end = html.lastIndexOf('>') + 1
  return [html.slice(0, end), html.slice(end)]
}

function decode(text: string): string {
  return text.replace(/&(#x[0-9a-f]+|#[0-9]+|[a-z]+);/gi, (whole, name: string) => {
    if (!name.startsWith('#')) return ENTITIES.get(name.toLowerCase()) ?? whole
    const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1))
    return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : whole
  })
}
