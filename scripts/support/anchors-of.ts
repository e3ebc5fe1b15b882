/** The anchors that GitHub gives to the headings of a page. A heading whose text occurred before has a number behind it. */
export function anchorsOf(markdown: string): Set<string> {
  const anchors = new Set<string>()
  const times = new Map<string, number>()
  for (const [, heading = ''] of withoutFences(markdown).matchAll(/^ {0,3}#{1,6}\s+(.*?)(?:\s#+)?\s*$/gm)) {
    const slug = slugOf(heading)
    const before = times.get(slug) ?? 0
    times.set(slug, before + 1)
    anchors.add(before === 0 ? slug : `${slug}-${before}`)
  }
  for (const [, id = ''] of markdown.matchAll(/<a\s+(?:id|name)="([^"]+)"/g)) anchors.add(id)
  return anchors
}

/** GitHub: in lowercase, without punctuation, with `-` for each space. */
function slugOf(heading: string): string {
  const text = heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/(?<!\\)<\/?[a-z][^>]*>/gi, '')
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')
}

/** A page without its blocks of code. */
export function withoutFences(markdown: string): string {
  return markdown.replaceAll(/^( {0,3})(`{3,}|~{3,})[^\n]*\n[\s\S]*?^ {0,3}\2[`~]*[ \t]*$/gm, '')
}
