/** Writes of every kind, with as little in the response as the document allows. */

import { all, wordless } from '../faults/combinators/combinators.ts'
import { responses } from './combinators/responses.ts'
import { created, deleted, traffic, updated } from './near.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('writes')

variation(
  'writes return only statuses',
  { because: 'records.bodies', near: [...new Set([...created, ...updated, ...deleted])] },
  all(wordless('createRecord', 201), wordless('updateRecord', 204), wordless('deleteRecord', 204)),
)
variation(
  'all writes return 200 and no body',
  {
    because: 'records.bodies',
    near: [...traffic, 'update.applies', 'delete.removes', 'batch.succeeds-together'],
  },
  all(
    wordless(['updateRecord', 'deleteRecord', 'batch'], 200),
    responses(
      'createRecord',
      201,
      () => undefined,
      ({ id }, { pathname }) => ({ location: `${pathname}/${String(id)}` }),
    ),
  ),
)
