/** Long and deep values of a query parameter, for `fields`, `sort` and `expand`. */

const deep = (name: string, steps: number) => `${`${name}.`.repeat(steps)}${name}`
const many = (count: number) => Array.from({ length: count }, (_, index) => `p${index}`).join(',')

/**
 * Encoded, with three characters for a comma, none of them makes a request line of eight kilobytes: servers often reject
 * longer ones before the application sees them.
 */
export const longValues: readonly string[] = [
  deep('a', 2000),
  deep('relation', 400),
  deep('*', 2000),
  many(1000),
  ','.repeat(2000),
]
