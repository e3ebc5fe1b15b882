/** What `scripts/compile-validators.ts` writes next to this file. Loads nothing and evaluates no text as code. */

export interface SchemaError {
  instancePath: string
  schemaPath: string
  keyword: string
  params: Record<string, unknown>
}
/** `errors` is set as long as nothing else is checked. */
export interface Check {
  (body: unknown): boolean
  errors?: SchemaError[] | null
}

type Formats = Readonly<Record<string, (text: string) => boolean>>
type TextLength = (text: string) => number

export type MakeChecks = (formats: Formats, textLength: TextLength) => Record<string, Check>
/** By name; they stop at the first error. */
export const checks: MakeChecks
/** JSON: the operations with their statuses; see `OperationEntry` in `operation-entries.ts`. */
export const operations: string
/** JSON: the schemas by name, for the way from an error to its requirement. */
export const schemas: string
/** JSON: the requirements that the validator can name. */
export const requirements: string
/** Of the description that this was made from. */
export const fingerprint: string
