import { onTestFinished } from 'vitest'
import { createSession } from '../../harness/session/create-session.ts'
import { type Hook, serveHooks } from '../../harness/target/hook-server.ts'
import type { Target } from '../../harness/vocabulary/target.ts'

/** A session until the end of the test, with a target that has only a mailbox, as its hook shows it. */
export async function mailboxSession(mailbox: Hook, more: Partial<Target> = {}) {
  const { hooks, close } = await serveHooks({ mailbox })
  const session = createSession(
    {
      baseUrl: 'http://127.0.0.1:1',
      binding: {},
      capabilities: {},
      tables: {},
      credentials: {},
      hooks,
      ...more,
    },
    { requirements: new Map() },
    { seed: 1 },
  )
  onTestFinished(async () => {
    await session.close()
    await close()
  })
  return session
}
