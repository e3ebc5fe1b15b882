/** A short soak: `npm run soak` sends a million requests, this as many as a small heap could not hold. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runSoak } from '../../scripts/soak/run-soak.ts'
import { soakData } from '../../scripts/soak/soak-data.ts'
import { startSoakServer } from '../../scripts/soak/soak-server.ts'
import { builtCommand } from '../../scripts/support/command.ts'
import { inFull } from '../../scripts/support/in-full.ts'

const megabyte = 1024 * 1024

interface Recorded {
  requests: { id: number; findings: unknown[] }[]
  notRecorded: number
}

// Half a minute, most of it for collecting garbage.
it.runIf(inFull)(
  'serves more requests than a heap of 48 MB could hold, and keeps the newest 500',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'short-soak-'))
    const data = join(folder, 'data.json')
    await writeFile(data, JSON.stringify(soakData()))
    const server = await startSoakServer({
      command: builtCommand,
      args: ['--data', data, '--control'],
      nodeArgs: ['--max-old-space-size=48'],
    })
    try {
      const { heap, sent, unexpected, examples } = await runSoak(server, {
        requests: 6_000,
        window: 1_500,
        clients: 32,
        warmUp: 1_500,
        signal: new AbortController().signal,
      })
      expect(examples).toEqual([])
      expect(unexpected).toBe(0)
      expect(sent).toBeGreaterThanOrEqual(6_000)
      expect(heap.after - heap.before).toBeLessThan(10 * megabyte)
      const { origin } = new URL(server.url)
      const response = await fetch(`${origin}/_conformance/requests`)
      const { requests, notRecorded } = (await response.json()) as Recorded
      expect(requests).toHaveLength(500)
      expect(requests.filter(({ findings }) => findings.length > 0)).toEqual([])
      // Every request was recorded or counted.
      expect(notRecorded + (requests.at(-1)?.id ?? 0)).toBe(sent)
    } finally {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    }
  },
  120_000,
)
