import { percentDecoded } from '../../exchange/percent-decoded.ts'

/**
 * The id that a Location names. A record is at the address of the document or at one of the server's own: at
 * `…/records/ID`, at the end of another path, or under `id` in the query, perhaps behind an operator (`?id=eq.ID`).
 *
 * @param requested path or address of the create. What is in its path names the table, and no record
 */
export function locatedId(location: string | undefined, requested: string): string | undefined {
  const from = new URL(requested, 'http://target')
  if (location === undefined || !URL.canParse(location, from.href)) return undefined
  const url = new URL(location, from)
  const parts = partsOf(url)
  const records = parts.lastIndexOf('records')
  const own = records === -1 ? undefined : parts[records + 1]
  if (own !== undefined) return own
  const queried = url.searchParams.get('id')?.replace(/^eq\./, '')
  if (queried !== undefined && queried !== '') return queried
  const last = parts.at(-1)
  return last === undefined || partsOf(from).includes(last) ? undefined : last
}

/** The decoded parts of a path, but for empty ones. */
function partsOf({ pathname }: URL): string[] {
  return pathname
    .split('/')
    .filter((part) => part !== '')
    .map((part) => percentDecoded(part) ?? part)
}
