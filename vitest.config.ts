import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['{spec,reference,integration,harness,suites,services,validate,cli,targets,faults,scripts,test}/**/*.test.ts'],
    environment: 'node',
    testTimeout: 20_000,
  },
})
