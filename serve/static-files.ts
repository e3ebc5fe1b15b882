/**
 * Serves the files of a page from a folder. Nothing is fetched from elsewhere.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'

const types: ReadonlyMap<string, string> = new Map(
  Object.entries({
    html: 'text/html; charset=utf-8',
    css: 'text/css; charset=utf-8',
    js: 'text/javascript; charset=utf-8',
    svg: 'image/svg+xml',
  }),
)

/** @param policy the content security policy of the page, without the directives of every page */
export function headersOfPage(policy: readonly string[]): Readonly<Record<string, string>> {
  const always = ["default-src 'none'", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
  return {
    'Content-Security-Policy': [...always, ...policy].join('; '),
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Cache-Control': 'no-cache',
  }
}

/**
 * @param name of the file: letters, digits and `-`
 * @param folder ends with a slash
 * @returns undefined if the file does not exist
 */
export async function staticFile(
  name: string,
  folder: URL,
  headers: Readonly<Record<string, string>>,
): Promise<Response | undefined> {
  const [, extension = ''] = /^[a-z0-9-]+\.([a-z]+)$/.exec(name) ?? []
  const type = types.get(extension)
  if (type === undefined) return undefined
  try {
    const bytes = await readFile(new URL(name, folder))
    return new Response(new Uint8Array(bytes), { headers: { ...headers, 'Content-Type': type } })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/** The response to a request for a file of a page: read-only, and 404 for an unknown file. */
export async function pageResponse(
  { method }: Request,
  headers: Readonly<Record<string, string>>,
  find: () => Promise<Response | undefined>,
): Promise<Response> {
  if (method !== 'GET' && method !== 'HEAD')
    return new Response(null, { status: 405, headers: { ...headers, Allow: 'GET, HEAD' } })
  return (await find()) ?? new Response('The file does not exist.\n', { status: 404, headers })
}
