/** The records that each server begins with. */

export function firstRecords(count) {
  return Array.from({ length: count }, (_, at) => ({
    id: `record${String(at).padStart(9, '0')}`,
    title: `Title ${(at * 7919) % count}`,
    rank: (at * 104729) % count,
    done: at % 2 === 0,
  }))
}

/** A record as the interface shows it: without the fields that every record has, a toy would send half as much in a list. */
export function shownRecord({ id, ...fields }) {
  const now = new Date().toISOString().replace('T', ' ')
  return {
    id,
    collectionId: 'pbc_1234567890',
    collectionName: 'posts',
    created: now,
    updated: now,
    ...fields,
  }
}
