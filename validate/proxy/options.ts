import type { ResponseValidator } from '../create-validator.ts'
import type { ValidationResult } from '../vocabulary.ts'
import type { HarWriter } from './har-writer.ts'

export interface ProxyOptions {
  upstream: URL
  validator: ResponseValidator
  /**
   * What to do with a response that does not conform. `report` streams; the others delay a response until it is
   * validated.
   */
  mode: 'report' | 'mark' | 'fail'
  har?: HarWriter | undefined
  /**
   * Maximum total size in bytes of the bodies that are kept for validation at the same time. An exchange that does not
   * fit is passed on without validation. @default 256 MiB
   */
  room?: number
  onResult(result: ValidationResult, request: { method: string; url: string; status: number }): void
  /**
   * Called if the upstream gives no response, or none that can be passed on, and if an exchange cannot be validated or
   * recorded.
   */
  onTrouble(what: string): void
}
