const MAX_DEPTH = 6

/**
 * Paths of an `expand` text (contract-records 1.6): spaces go, a path that another one continues goes, what lies
 * deeper than six levels is ignored.
 */
export function parseExpand(text: string): string[][] {
  const written = text.replaceAll(' ', '').split(',')
  const paths = [...new Set(written.map((path) => path.replace(/^\.+|\.+$/g, '')).filter(Boolean))]
  const longest = paths.filter((path) => !paths.some((other) => other.startsWith(`${path}.`)))
  return longest.map((path) => path.split('.').slice(0, MAX_DEPTH))
}
