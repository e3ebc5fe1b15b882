/**
 * Step of `npm run build`: copies the declarations that users can reach from an entry of the package, and no others.
 *
 * @module
 */

import { mkdir, readFile, writeFile } from 'node:fs/promises'
import ts from 'typescript'
import { entries } from '../entries.ts'

/**
 * @param from where the compiler wrote the declarations
 * @returns paths of the copied files, from the root of the project
 */
export async function copyDeclarations(from: URL, dist: URL): Promise<string[]> {
  const paths = new Set(entries.map(({ source }) => source.replace(/\.ts$/, '.d.ts')))
  // The loop also visits what is added to the set meanwhile.
  for (const path of paths) {
    const text = await readFile(new URL(path, from), 'utf8')
    for (const { fileName } of ts.preProcessFile(text).importedFiles)
      if (fileName.startsWith('.')) paths.add(declarationOf(fileName, path))
    const target = new URL(path, dist)
    await mkdir(new URL('.', target), { recursive: true })
    await writeFile(target, withOwnHeader(text))
  }
  return [...paths]
}

/** The compiler keeps the endings of imports: `./a.ts` means `./a.d.ts`, and the package has `./a.js`. */
function declarationOf(fileName: string, importer: string): string {
  const { pathname } = new URL(fileName.replace(/\.[jt]s$/, '.d.ts'), `file:///${importer}`)
  return pathname.slice(1)
}

/**
 * Keeps the comment on a module apart from the comment on its first declaration: where the compiler left out the imports
 * between them, an editor would show both for the declaration.
 */
function withOwnHeader(text: string): string {
  return text.replace(
    /^\/\*\*(?:(?!\*\/)[\s\S])*@module\s*\*\/\n(?!import |export (?:\*|\{|type \{))/,
    '$&export {};\n',
  )
}
