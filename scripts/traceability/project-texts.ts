/**
 * The files of the project, for tests and checks that read all of them.
 *
 * @module
 */

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../../', import.meta.url)
const FOLDERS = [
  'cli',
  'docs',
  'examples',
  'exchange',
  'harness',
  'integrations',
  'openapi',
  'proofs',
  'reference',
  'scripts',
  'serve',
  'spec',
  'suites',
  'targets',
  'test',
  'validate',
]

/** Path from the project's root, with `/`, and content of each file that ends in one of the given ways. */
export function projectTexts(
  endings: readonly string[],
  folders = FOLDERS,
): { path: string; text: string }[] {
  const paths = folders.flatMap((folder) => {
    const url = new URL(`${folder}/`, root)
    if (!existsSync(url)) return []
    return readdirSync(url, { recursive: true, encoding: 'utf8' }).map(
      (name) => `${folder}/${name.replaceAll('\\', '/')}`,
    )
  })
  const atRoot = readdirSync(root).filter((name) => name.endsWith('.md'))
  return [...atRoot, ...paths]
    .filter((path) => endings.some((ending) => path.endsWith(ending)))
    .map((path) => ({ path, text: readFileSync(fileURLToPath(new URL(path, root)), 'utf8') }))
}
