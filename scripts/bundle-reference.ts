/**
 * Last step of `npm run build`: the reference's entries, and the thread that serves it in a run, as few files. Most of
 * their import time was finding and reading a hundred and fifty modules; what is loaded only when it is used stays apart.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// This module runs as dist/scripts/bundle-reference.js.
const dist = fileURLToPath(new URL('../', import.meta.url))

await build({
  entryPoints: {
    reference: `${dist}reference/reference.js`,
    vitest: `${dist}integrations/vitest.js`,
    'embedded-worker': `${dist}harness/target/embedded-worker.js`,
  },
  outdir: `${dist}bundle`,
  bundle: true,
  // What entries use they share: a class must be the same in all.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  external: [
    'vitest',
    'jose',
    'nodemailer',
    'smtp-server',
    'postal-mime',
    'oauth2-mock-server',
    '@hono/node-server',
    '@faker-js/faker',
  ],
  plugins: [
    {
      // It finds its data files beside itself.
      name: 'spec stays where it is',
      setup({ onResolve }) {
        onResolve({ filter: /\/spec\/[\w-]+\.js$/ }, ({ path }) => ({
          path: path.replace(/^.*\/spec\//, '../spec/'),
          external: true,
        }))
      },
    },
    {
      // It finds the suites beside itself, and is loaded where they are run only.
      name: 'the harness stays where it is',
      setup({ onResolve }) {
        onResolve({ filter: /\/harness\/conformance-suite\.js$/ }, ({ path }) => ({
          path: path.replace(/^.*\/harness\//, '../harness/'),
          external: true,
        }))
      },
    },
  ],
})
