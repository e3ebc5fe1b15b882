/** The records that each server begins with. */

export function firstRecords(count) {
  return Array.from({ length: count }, (_, at) => ({
    id: `record${String(at).padStart(9, '0')}`,
    title: `Title ${(at * 7919) % count}`,
    rank: (at * 104729) % count,
    done: at % 2 === 0,
  }))
}
