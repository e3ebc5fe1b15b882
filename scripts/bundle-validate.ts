/**
 * Last step of `npm run build`: the validator's entry as one file. Whoever imports it in a test waits for one file to be
 * found and read in place of thirty, which took most of the time.
 *
 * @module
 */

import { fileURLToPath } from 'node:url'
import { build } from 'esbuild'

// This module runs as dist/scripts/bundle-validate.js.
const folder = fileURLToPath(new URL('../validate/', import.meta.url))

await build({
  entryPoints: [`${folder}validate.js`],
  // Beside the modules: it finds `generated/explanations.cjs` from there.
  outfile: `${folder}bundle.js`,
  bundle: true,
  minify: true,
  // An error that nobody catches makes Node print the line that it comes from.
  lineLimit: 160,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  logLevel: 'warning',
})
