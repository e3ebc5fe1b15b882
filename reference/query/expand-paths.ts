const MAX_DEPTH = 6

/**
 * Paths of an `expand` text (contract-records 1.6): spaces go, a path that another one continues goes, what lies
 * deeper than six levels is ignored.
 */
export function parseExpand(text: string): string[][] {
  const written = text.replaceAll(' ', '').split(',').map(trimDots).filter(Boolean)
  const paths = new Map(
    written.map((path) => {
      const names = path.split('.').slice(0, MAX_DEPTH)
      return [names.join('.'), names]
    }),
  )
  const continued = new Set<string>()
  for (const names of paths.values()) {
    for (let length = 1; length < names.length; length += 1) continued.add(names.slice(0, length).join('.'))
  }
  return [...paths].flatMap(([path, names]) => (continued.has(path) ? [] : [names]))
}

function trimDots(path: string): string {
  let start = 0
  let end = path.length
  while (path[start] === '.') start += 1
  while (end > start && path[end - 1] === '.') end -= 1
  return path.slice(start, end)
}
