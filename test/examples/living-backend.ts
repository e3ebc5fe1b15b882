/**
 * The living server family as the back end of the example application, started as a process with a mail sink.
 *
 * @module
 */

import PocketBase, { BaseAuthStore } from 'pocketbase'
import type { Backend } from '../../examples/board/backend.ts'
import { tables } from '../../examples/board/tables.ts'
import { emailedToken } from '../../harness/services/email-reading.ts'
import { startMailSink } from '../../harness/services/mail-sink.ts'
import { livingBinary, startLivingServer } from '../../scripts/living/living-server.ts'

/** @throws Error when its binary is not available */
export async function startBackend(): Promise<Backend> {
  const binary = await livingBinary()
  if ('missing' in binary) throw new Error(binary.missing)
  const [server, sink] = await Promise.all([startLivingServer(binary.path), startMailSink()])
  await server.sendMailsTo(sink)
  await server.acceptBatches()
  await server.call('PUT', '/api/collections/import', { deleteMissing: false, collections: tables })
  return {
    client: () => new PocketBase(server.baseUrl, new BaseAuthStore()).autoCancellation(false),
    async verificationToken(to) {
      return emailedToken(await sink.waitFor({ to }), 'verification') ?? ''
    },
    async stop() {
      await Promise.all([server.stop(), sink.stop()])
    },
  }
}
