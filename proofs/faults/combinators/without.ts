import { operations } from '../../../spec/openapi.ts'
import type { OperationId } from '../../../spec/vocabulary.ts'
import type { DeclaredFault } from '../fault.ts'
import { all, rewritePath } from './combinators.ts'

/** The operations are missing: their paths are like any other that the server does not know. */
export function without(ids: readonly OperationId[]): DeclaredFault['make'] {
  return all(
    ...operations()
      .filter(({ id }) => ids.includes(id))
      .map(({ id, path }) => {
        const last = path.replace('/{id}', '').split('/').at(-1) ?? ''
        return rewritePath(id, (to) => to.replace(`/${last}`, '/some-other-endpoint'))
      }),
  )
}
