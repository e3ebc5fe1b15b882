/**
 * Last step of `npm run build`: the reference's entries as few files. Most of their import time was finding and reading
 * a hundred and fifty modules; what is loaded only when it is used stays apart.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// This module runs as dist/scripts/bundle-reference.js.
const dist = fileURLToPath(new URL('../', import.meta.url))

await build({
  entryPoints: { reference: `${dist}reference/reference.js`, vitest: `${dist}integration/vitest.js` },
  outdir: `${dist}bundle`,
  bundle: true,
  // What both entries use they share: a class must be the same in both.
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
  external: ['vitest', 'jose', 'nodemailer', '@hono/node-server', '@faker-js/faker'],
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
  ],
})
