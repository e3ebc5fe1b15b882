/**
 * The documentation page of `conformance serve --docs` at `/_docs/`: Swagger UI, which users install themselves, with
 * the description of the served tables.
 *
 * @module
 */

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { type Description, describeTables, writeDescription } from '../../openapi/openapi.ts'
import { servicesOf } from '../../reference/services-of.ts'
import { accessRejection } from '../gate.ts'
import { type Responding, reject } from '../respond.ts'
import type { Serving } from '../serving.ts'
import { headersOfPage, pageResponse, staticFile } from '../static-files.ts'

const start = '/_docs/'
const own = new URL('./static/', import.meta.url)
/** The files of Swagger UI that the page needs. */
const parts: readonly string[] = ['swagger-ui-bundle.js', 'swagger-ui.css']
const formats = { 'openapi.yaml': 'yaml', 'openapi.json': 'json' } as const
const mediaTypes = { yaml: 'application/yaml', json: 'application/json' } as const

/** Swagger UI embeds icons in its styles, and sets styles while it runs. Its requests go to this server only. */
const headers = headersOfPage([
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
])

/**
 * The folder of the package `swagger-ui-dist`. Undefined if it is not installed.
 *
 * @param places URLs of modules that could import it @default this package and the current folder
 */
export function findSwaggerUi(
  places: readonly string[] = [import.meta.url, pathToFileURL(join(process.cwd(), 'package.json')).href],
): string | undefined {
  for (const place of places) {
    try {
      return dirname(createRequire(place).resolve('swagger-ui-dist/package.json'))
    } catch {
      // Not from there.
    }
  }
  return undefined
}

/** Responds to requests for `/_docs/`. @param folder of the package `swagger-ui-dist` */
export function createDocs(folder: string): (serving: Serving) => Responding {
  const installed = pathToFileURL(join(folder, '/'))
  return (serving) => {
    // Tables only change when the server loads another data file.
    const described = new WeakMap<Serving['reference'], Description>()
    const describe = (): Description => {
      const { reference } = serving
      const known = described.get(reference) ?? describeServed(serving)
      described.set(reference, known)
      return known
    }
    return async (request, ip) => {
      const { pathname } = new URL(request.url)
      if (pathname === '/_docs') return new Response(null, { status: 302, headers: { Location: start } })
      if (!pathname.startsWith(start)) return undefined
      const name = pathname.slice(start.length) || 'index.html'
      if (Object.hasOwn(formats, name)) {
        const rejection = accessRejection(request, ip, { sameOrigin: false })
        if (rejection !== undefined) return reject(rejection, 403)
        return pageResponse(request, headers, async () =>
          descriptionAs(name as keyof typeof formats, describe()),
        )
      }
      const from = parts.includes(name) ? installed : own
      return pageResponse(request, headers, () => staticFile(name, from, headers))
    }
  }
}

function describeServed({ reference, prefix }: Serving): Description {
  const tables = [...servicesOf(reference).store.current.tables()].map(({ definition }) => definition)
  return describeTables(tables, { paths: 'per-table', prefix })
}

function descriptionAs(name: keyof typeof formats, description: Description): Response {
  const format = formats[name]
  return new Response(writeDescription(description, format), {
    headers: { ...headers, 'Content-Type': mediaTypes[format] },
  })
}
