/** `firstName`, `first_name` and `FirstName` are one field. */
export function plainName(name: string): string {
  return name.replaceAll(/[^a-z\d]/gi, '').toLowerCase()
}
