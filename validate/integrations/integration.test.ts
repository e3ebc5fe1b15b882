/** What is common to the integrations: a wrong path prefix, with which nothing would be validated. */

import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { conformingFetch } from './conforming-fetch.ts'
import type { IntegrationOptions } from './integration.ts'

const records = '/collections/posts/records'

/** The warnings after responses to requests with these paths. */
async function warningsOf(paths: readonly string[], options?: IntegrationOptions): Promise<string[]> {
  const emit = vi.spyOn(process, 'emitWarning').mockImplementation(() => {})
  onTestFinished(() => emit.mockRestore())
  const fetch = conformingFetch(async () => Response.json({ a: 1 }), { mode: 'report', ...options })
  for (const path of paths) await fetch(`http://127.0.0.1:8090${path}`)
  return emit.mock.calls.map(([message]) => String(message))
}

describe('a request to a table under another prefix', () => {
  it('is warned of once', async () => {
    expect(await warningsOf([`/api${records}`, `/api${records}/a?b=c`])).toEqual([
      `The request to http://127.0.0.1:8090/api${records} is under another prefix than /api/v1: nothing was validated. Pass the prefix of the server as the option "prefix".`,
    ])
  })

  it.each<[string, string, IntegrationOptions?]>([
    ['about something else', '/api/settings'],
    ['of the interface', `/api/v1${records}`],
    ['to an unknown path under the prefix', `/api/v1${records}/a/b/c`],
    ['under the prefix that was passed', `/api${records}`, { prefix: '/api' }],
    ['whose query looks like one', `/health?next=/api${records}`],
  ])('is not meant by one %s', async (_, path, options) => {
    expect(await warningsOf([path], options)).toEqual([])
  })
})
