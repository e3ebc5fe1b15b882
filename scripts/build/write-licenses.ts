/**
 * Step of `npm run build`: the licenses of the libraries whose code is part of the package, as they require.
 *
 * @module
 */

import { readdir, readFile, writeFile } from 'node:fs/promises'

/**
 * Writes `THIRD-PARTY-LICENSES.md`.
 *
 * @param libraries their folders, from the root of the project
 * @throws Error that names the library that has no license file
 */
export async function writeLicenses(root: URL, libraries: readonly string[], dist: URL): Promise<void> {
  const sections = await Promise.all(libraries.map((folder) => section(new URL(`${folder}/`, root))))
  const text = ['# Licenses of the libraries in these files', ...sections].join('\n\n')
  await writeFile(new URL('THIRD-PARTY-LICENSES.md', dist), `${text}\n`)
}

async function section(folder: URL): Promise<string> {
  const { name, version, license } = JSON.parse(
    await readFile(new URL('package.json', folder), 'utf8'),
  ) as Record<'name' | 'version' | 'license', string>
  const file = (await readdir(folder)).find((each) => /^licen[cs]e(\.\w+)?$/i.test(each))
  if (file === undefined)
    throw new Error(`${name} ${version} has no license file in ${folder}: do not bundle it, or add its text.`)
  const text = await readFile(new URL(file, folder), 'utf8')
  return `## ${name} ${version} (${license})\n\n${text.trim().replace(/^/gm, '    ').trimEnd()}`
}
