/** Whether something that should have stopped still listens. */

import { setTimeout as sleep } from 'node:timers/promises'

/** How many sockets of this process listen. What has just been closed is counted until its event loop has seen to it. */
export async function listening(): Promise<number> {
  await sleep(20)
  return process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
}
