import { apiKeysTableName } from '../../auth/api-keys.ts'
import type { Store } from '../../store/store.ts'
import { superusers } from '../../tables/system.ts'
import type { RealtimeIdentity } from './identity.ts'
import type { RealtimeInternals } from './realtime.ts'

/** Any superuser, as long as there is one. */
const anySuperuser: RealtimeIdentity = {
  name: 'any superuser',
  callerIn(reader) {
    const table = reader.table(superusers.name)
    const [row] = table === undefined ? [] : reader.scan(table)
    if (table === undefined || row === undefined) return { kind: 'guest' }
    return { kind: 'superuser', table, row, token: { text: '', refreshable: false, expires: 0 } }
  },
}

/**
 * A realtime connection with the topic `TABLE/*` of each table that exists now, for the console.
 *
 * @param signal aborts when the client disconnects
 * @throws ApiError 429 if there are too many realtime connections
 */
export function superuserStream(
  realtime: RealtimeInternals,
  store: Store,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const connection = realtime.connect('127.0.0.1', signal)
  connection.identity = anySuperuser
  const names = [...store.current.tables()].map(({ name }) => name)
  connection.subscribe(names.filter((name) => name !== apiKeysTableName).map((name) => `${name}/*`))
  return connection.stream.body
}
