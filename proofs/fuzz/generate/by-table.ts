import type { TableDefinition } from '../../../spec/table-definition.ts'

/**
 * Makes something once for each table and each choice of the other arguments: arbitraries are expensive to make and cheap
 * to draw from.
 */
export function byTable<Made, More extends readonly (boolean | number)[] = []>(
  make: (table: TableDefinition, ...more: More) => Made,
): (table: TableDefinition, ...more: More) => Made {
  const made = new Map<string, Made>()
  return (table, ...more) => {
    const key = [table.name, ...more].join()
    const found = made.get(key) ?? make(table, ...more)
    made.set(key, found)
    return found
  }
}
