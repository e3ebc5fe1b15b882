/**
 * Name, version and documentation of this package, from the package.json above this file.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export interface PackageFacts {
  name: string
  version: string
  /** URL of the repository's folder `docs`. */
  docs: string
  /** Folder that holds package.json. */
  root: string
}

let facts: PackageFacts | undefined

export function packageFacts(): PackageFacts {
  facts ??= find()
  return facts
}

/**
 * A page of the documentation for a message on this machine: its path, or its URL where the package has no pages.
 *
 * @param page as in `serve.md`
 */
export function docsPage(page: string): string {
  const { root, docs } = packageFacts()
  const path = join(root, 'docs', page)
  return existsSync(path) ? relative(process.cwd(), path) : `${docs}/${page}`
}

function find(): PackageFacts {
  let root = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(root, 'package.json'))) {
    const above = dirname(root)
    if (above === root)
      throw new Error(
        `No package.json above ${fileURLToPath(import.meta.url)}: the package is incomplete, install it again.`,
      )
    root = above
  }
  const { name, version, homepage } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    name: string
    version: string
    homepage: string
  }
  return { name, version, docs: homepage.replace(/#.*$/, '/blob/main/docs'), root }
}
