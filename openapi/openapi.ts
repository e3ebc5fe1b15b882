/**
 * `record-auth-conformance/openapi`: an OpenAPI description of your own tables.
 *
 * @example
 * import { describeTables, writeDescription } from 'record-auth-conformance/openapi'
 *
 * const description = describeTables(tables, { paths: 'per-table' })
 * console.log(writeDescription(description, 'yaml'))
 *
 * @module record-auth-conformance/openapi
 */

export { describeTables } from './describe-tables.ts'
export { tablesIn } from './tables-in.ts'
export type { DescribeOptions, Description, ExportedTable, Part, PathItem } from './vocabulary.ts'
export { writeDescription } from './write-description.ts'
