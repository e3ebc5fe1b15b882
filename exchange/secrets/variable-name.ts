/** A name as part of the name of an environment variable: `my key` becomes `MY_KEY`. */
export function variableName(name: string): string {
  return name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
}
