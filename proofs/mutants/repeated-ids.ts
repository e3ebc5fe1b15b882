import { change } from './mutant.ts'

/** Ids may repeat in two auth tables: what finds an account must then know its table, too. */
export const repeatedIds = change(
  'reference/fields/validate-values.ts',
  'reader.get(other, values.id)) return true',
  'reader.get(other, values.id)) return false',
)
