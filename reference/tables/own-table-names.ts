import type { Reader } from '../vocabulary.ts'

/** The names of all tables that are not the server's own, for messages. */
export function ownTableNames(reader: Reader): string[] {
  return [...reader.tables()].filter(({ system }) => !system).map(({ name }) => name)
}
