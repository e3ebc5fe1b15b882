/** A name without what naming habits add: `firstName`, `first_name` and `FirstName` are one. */
export function plainName(name: string): string {
  return name.replaceAll(/[^a-z\d]/gi, '').toLowerCase()
}
