/** The fetch that validates, around the fetch of undici and the one of Node. */

import { Agent, type fetch as UndiciFetch, fetch as undiciFetch } from 'undici'
import { describe } from 'vitest'
import { runCases } from '../../test/validate/integrations/run-cases.ts'
import { conformingFetch } from '../validate.ts'

const fetches = {
  "Node's": globalThis.fetch as unknown as typeof UndiciFetch,
  "undici's": undiciFetch,
}

describe.each(Object.entries(fetches))('%s', (_name, fetch) => {
  runCases({
    open(options) {
      const dispatcher = new Agent()
      const send = (input: unknown, init?: object) => fetch(input as string, { ...init, dispatcher })
      const watched = conformingFetch(send as unknown as typeof globalThis.fetch, options)
      return {
        async call({ url, ...init }) {
          const { status, body } = await watched(url, init)
          return { status, body: body ?? [] }
        },
        close: () => dispatcher.close(),
      }
    },
    redirects: 'last',
  })
})
