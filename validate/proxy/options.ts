import type { ResponseValidator } from '../create-validator.ts'
import type { ValidationResult } from '../vocabulary.ts'
import type { HarWriter } from './har-writer.ts'

export interface ProxyOptions {
  upstream: URL
  validator: ResponseValidator
  /** What becomes of an answer that does not conform; `report` streams, the others hold an answer until it is judged. */
  mode: 'report' | 'mark' | 'fail'
  har?: HarWriter | undefined
  /**
   * Bytes of bodies that all exchanges under way may keep together to be judged. An exchange for which there is no room
   * passes unjudged. @default 256 MiB
   */
  room?: number
  onResult(result: ValidationResult, request: { method: string; url: string; status: number }): void
  /** An upstream that gives no answer or none that can be passed on, and an exchange that cannot be judged or recorded. */
  onTrouble(what: string): void
}
