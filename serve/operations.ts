/**
 * The operations of the control endpoints and of the console page, in the order of the documentation. The files of
 * `operations/` have those of one subject each. `npm run generate` writes the table of control operations in
 * docs/serve.md.
 *
 * @module
 */

import { controlOperation, type ServeOperation } from './operation.ts'
import { additionOperations } from './operations/additions.ts'
import { clockOperations } from './operations/clock.ts'
import { consoleOperations } from './operations/console.ts'
import { credentialOperations } from './operations/credentials.ts'
import { faultOperations } from './operations/faults.ts'
import { mailOperations } from './operations/mail.ts'
import { oauth2Operations } from './operations/oauth2.ts'
import { realtimeOperations } from './operations/realtime.ts'
import { recordOperations } from './operations/records.ts'
import { requestOperations } from './operations/requests.ts'
import { snapshotOperations } from './operations/snapshots.ts'
import { stateOperations } from './operations/state.ts'

export const controlOperations: readonly ServeOperation[] = [
  controlOperation({
    method: 'GET',
    path: '',
    groups: ['control'],
    returns: 'an index: `{ operations }`, each with its method, path, keys and parameters',
    run: () => ({ operations: controlOperations.flatMap(indexEntry) }),
  }),
  ...snapshotOperations,
  ...clockOperations,
  ...credentialOperations,
  ...oauth2Operations,
  ...faultOperations,
  ...mailOperations,
  ...stateOperations,
  ...recordOperations,
  ...realtimeOperations,
  ...additionOperations,
  ...requestOperations,
  ...consoleOperations,
]

function indexEntry({ method, path, groups, query, body, content, returns }: ServeOperation) {
  if (!groups.includes('control')) return []
  const keys = Object.fromEntries(
    Object.entries(body ?? {}).map(([name, { says, required, oneOf }]) => [name, { says, required, oneOf }]),
  )
  return [{ method, path, query, body: content ?? (body === undefined ? undefined : keys), returns }]
}
