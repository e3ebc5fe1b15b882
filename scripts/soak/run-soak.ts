/**
 * One soak of one server: the load, and what is measured while it runs.
 *
 * @module
 */

import { setTimeout } from 'node:timers/promises'
import { runLoad } from './run-load.ts'
import { type HeldHeap, middle, type SoakWindow } from './soak-problems.ts'
import type { SoakServer } from './soak-server.ts'

export interface SoakOptions {
  requests: number
  /** Requests of one window. */
  window: number
  clients: number
  /** Requests after which the heap is measured for the first time. */
  warmUp: number
  signal: AbortSignal
  onWindow?(window: SoakWindow, heapUsed: number): void
}

export interface SoakResult {
  windows: SoakWindow[]
  heap: HeldHeap
  sent: number
  unexpected: number
  examples: string[]
}

const sampleMs = 250

/** Milliseconds for a process to end whose connections have broken: one that is out of memory first says so. */
const goneMs = 5_000

/** @throws Error with what the server printed, when it ends before the load does */
export async function runSoak(server: SoakServer, options: SoakOptions): Promise<SoakResult> {
  const { requests, window, clients, warmUp, signal, onWindow } = options
  const windows: SoakWindow[] = []
  let samples: number[] = []
  let responded = 0
  let begin = await reading(server)
  let before = Number.NaN
  let measuring = Promise.resolve()

  const sampler = setInterval(() => {
    server.resident().then(
      (bytes) => samples.push(bytes),
      () => {},
    )
  }, sampleMs)

  async function close(sent: number): Promise<void> {
    samples.push(await server.resident())
    const end = await reading(server)
    const length = sent - (windows.at(-1)?.requests ?? 0)
    const closed: SoakWindow = {
      requests: sent,
      perSecond: (length * 1000) / (end.time - begin.time),
      cpuPerRequest:
        end.cpu === undefined || begin.cpu === undefined ? undefined : (end.cpu - begin.cpu) / length,
      resident: middle(samples),
    }
    windows.push(closed)
    samples = []
    begin = end
    onWindow?.(closed, await server.heap(false))
    if (sent >= warmUp && Number.isNaN(before)) before = await server.heap(true)
  }

  const over = new AbortController()
  const stop = () => over.abort()
  signal.addEventListener('abort', stop, { once: true })
  // A load that waits for a server that has ended would wait until its time limit.
  void server.ended.then(stop)
  try {
    const load = await runLoad({
      url: server.url,
      requests,
      clients,
      signal: over.signal,
      onResponse(sent) {
        responded = sent
        if (sent % window === 0) measuring = measuring.then(() => close(sent))
      },
    })
    await measuring
    return { windows, heap: { before, after: await server.heap(true) }, ...load }
  } catch (error) {
    // The broken connection is seen before the end of the process that broke it.
    const end = await Promise.race([server.ended, setTimeout(goneMs)])
    if (end === undefined) throw error
    throw new Error(`The server ended (${end.code}) after ${responded} requests.\n${end.errors}`)
  } finally {
    clearInterval(sampler)
    signal.removeEventListener('abort', stop)
    await measuring.catch(() => {})
  }
}

async function reading(server: SoakServer): Promise<{ time: number; cpu: number | undefined }> {
  const cpu = await server.cpu()
  return { time: performance.now(), cpu }
}
