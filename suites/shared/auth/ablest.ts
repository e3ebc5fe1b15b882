import type { Api } from '../../../harness/vocabulary/api.ts'
import type { CheckContext } from '../../../harness/vocabulary/check.ts'

/**
 * The client with the most rights: the document does not say who may do something in a table, but someone must be able
 * to.
 *
 * @param other the client if no superuser is known. @default a guest
 */
export function ablest({ api, knows }: Pick<CheckContext, 'api' | 'knows'>, other: Api = api): Api {
  return knows('superuser') ? api.as('superuser') : other
}
