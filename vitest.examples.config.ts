import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string) => fileURLToPath(new URL(path, import.meta.url))

/** The examples as a user runs them, but on the sources of this repository. */
export default defineConfig({
  resolve: {
    alias: {
      'record-auth-conformance/reference': source('reference/reference.ts'),
      'record-auth-conformance/vitest': source('integrations/vitest.ts'),
    },
  },
  test: { include: ['examples/**/*.test.ts'] },
})
