import { defineConfig } from 'vitest/config'

/** `npm run test:living`: minutes, and a server that has to be built or given. No part of `npm test`. */
export default defineConfig({
  test: {
    root: new URL('../..', import.meta.url).pathname,
    include: ['test/living/**/*.living.ts'],
    environment: 'node',
    globalSetup: './test/support/install-first.ts',
    testTimeout: 900_000,
    hookTimeout: 900_000,
    fileParallelism: false,
  },
})
