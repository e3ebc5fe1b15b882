/**
 * Set-up of the tests whose runs stay in the thread of the test. An embedded reference has a thread all the same, of the
 * build.
 *
 * @module
 */

import { vi } from 'vitest'
import type { Assignment } from '../../harness/engine/messages.ts'

vi.mock('../../harness/support/start-thread.ts', async (original) => {
  const { startThread } = await original<typeof import('../../harness/support/start-thread.ts')>()
  const { WorkerHere } = await import('./worker-here.ts')
  const { builtFrom } = await import('./built-thread.ts')
  return {
    startThread: (module: URL, data: unknown) =>
      module.pathname.endsWith('/harness/engine/worker.ts')
        ? new WorkerHere(data as Assignment)
        : startThread(builtFrom(module), data),
  }
})
