/**
 * The files of the console page, as they lie beside this module. Nothing is fetched from elsewhere.
 *
 * @module
 */

import { readFile } from 'node:fs/promises'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** Only our own scripts and styles, no text becomes markup, and nobody puts the page into a frame. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ')

export const pageHeaders: Readonly<Record<string, string>> = {
  'Content-Security-Policy': policy,
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'no-referrer',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-cache',
}

/** @param name of the file: letters, digits and `-`. Undefined when there is none. */
export async function staticFile(name: string): Promise<Response | undefined> {
  const [, extension = ''] = /^[a-z0-9-]+\.([a-z]+)$/.exec(name) ?? []
  const type = types[extension]
  if (type === undefined) return undefined
  try {
    const bytes = await readFile(new URL(`./static/${name}`, import.meta.url))
    return new Response(new Uint8Array(bytes), { headers: { ...pageHeaders, 'Content-Type': type } })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
