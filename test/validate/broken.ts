import type { PlainExchange } from '../../exchange/plain-exchange.ts'
import { createValidator } from '../../validate/create-validator.ts'

export const validator = createValidator({ profile: 'standard' })
export const list = '/api/v1/collections/notes/records'
export const one = `${list}/note00000000000`

/** What an exchange breaks, and where. */
export const broken = (each: PlainExchange, using = validator) =>
  using.validate(each).findings.map(({ requirement, path }) => `${requirement} ${path}`)
