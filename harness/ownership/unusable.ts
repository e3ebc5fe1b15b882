/** Maximum length of an id that is sent back to a server: far more than any server needs. */
const longestId = 255

/** Matches ids that a server could misread if it normalizes paths, or decodes them twice. */
export function leadsElsewhere(id: string): boolean {
  return id.split(/[/\\]|%2f|%5c/i).some((part) => /^(?:\.|%2e){1,2}$/i.test(part))
}

/** Why an id cannot be sent in a path; undefined if it can. `.` and `..` change the path, encoded or not. */
export function unusable(id: string): string | undefined {
  if (id.length > longestId) return `its id has ${id.length} characters, more than the limit of ${longestId}`
  if (leadsElsewhere(id)) return `its id is "${id}", which leads to another path`
  if (!id.isWellFormed()) return 'its id contains half a surrogate pair, which no path can contain'
  return undefined
}
