import type { Reader } from '../vocabulary.ts'

/** The names of all tables but the system tables, for messages. */
export function nonSystemTableNames(reader: Reader): string[] {
  return [...reader.tables()].filter(({ system }) => !system).map(({ name }) => name)
}
