/**
 * Peers are installed in a folder of their own, never with the package: copy package.json of this folder there, run
 * `npm install --ignore-scripts`, and name the folder in PEERS.
 */

import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

if (!process.env.PEERS)
  throw new Error('PEERS is not set. Name the folder in which package.json of scripts/bench is installed.')
export const peersFolder = resolve(process.env.PEERS)
export const requirePeer = createRequire(join(peersFolder, 'package.json'))
export const dist = (path) => new URL(`../../dist/${path}`, import.meta.url)
export const root = fileURLToPath(new URL('../../', import.meta.url))

export function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]
}

/** Runs of a function in a second, measured for at least `ms`. */
export function rate(work, ms = 250) {
  const begin = performance.now()
  let runs = 0
  let chunk = 1
  for (;;) {
    for (let at = 0; at < chunk; at++) work()
    runs += chunk
    const took = performance.now() - begin
    if (took >= ms) return (runs / took) * 1000
    if (took < ms / 10) chunk *= 2
  }
}

/** Medians of interleaved rounds, so that a slow moment of the machine meets everybody. */
export function rounds(cases, count = 5) {
  const all = Object.fromEntries(Object.keys(cases).map((name) => [name, []]))
  for (const work of Object.values(cases)) rate(work, 100)
  for (let round = 0; round < count; round++)
    for (const [name, work] of Object.entries(cases)) all[name].push(rate(work))
  return Object.fromEntries(
    Object.entries(all).map(([name, rates]) => [
      name,
      { median: median(rates), least: Math.min(...rates), most: Math.max(...rates) },
    ]),
  )
}

export const path = '/api/v1/collections/notes/records'

export function list(count = 30, more = {}) {
  const items = Array.from({ length: count }, (_, at) => ({
    id: `note0000000${String(at).padStart(4, '0')}`,
    collectionId: 'pbc_1234567890',
    collectionName: 'notes',
    created: '2024-01-02 03:04:05.678Z',
    updated: '2024-02-03 04:05:06.789Z',
    title: `Title of the note with the number ${at}`,
    rank: at,
    done: at % 2 === 1,
    tags: ['a', 'b'],
    body: '<p>Some text that stands for what people write, twenty words or so, not more than that.</p>',
  }))
  return { page: 1, perPage: 30, totalItems: count, totalPages: 1, items, ...more }
}
