/**
 * The API reference as Markdown, one page for each entry of the package: made by TypeDoc from the doc comments.
 *
 * @module
 */

import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Application, LogLevel } from 'typedoc'
import type { PluginOptions } from 'typedoc-plugin-markdown'
import { entries } from './entries.ts'
import { anchorsOf } from './support/anchors-of.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

const format: PluginOptions = {
  hidePageHeader: true,
  hideBreadcrumbs: true,
  parametersFormat: 'table',
  interfacePropertiesFormat: 'table',
  classPropertiesFormat: 'table',
  typeAliasPropertiesFormat: 'table',
  typeDeclarationFormat: 'table',
  propertyMembersFormat: 'table',
}

/**
 * Makes the pages. Nothing is written to the project.
 *
 * @returns contents by path in `docs/api/`
 * @throws Error with what TypeDoc reports, warnings included
 */
export async function apiPages(): Promise<Map<string, string>> {
  const folder = await mkdtemp(join(tmpdir(), 'api-pages-'))
  try {
    const app = await Application.bootstrapWithPlugins({
      plugin: ['typedoc-plugin-markdown'],
      tsconfig: join(root, 'tsconfig.build.json'),
      entryPoints: entries.map(({ source }) => root + source),
      basePath: root,
      readme: 'none',
      disableSources: true,
      excludeInternal: true,
      excludePrivate: true,
      // Not what Node documents of `Error`.
      excludeExternals: true,
      // The compiler has its own place in `npm run check`, and test/public-api looks for unnamed types.
      skipErrorChecking: true,
      validation: { notExported: false, invalidLink: true, notDocumented: false },
      logLevel: LogLevel.Warn,
      router: 'module',
      outputs: [{ name: 'markdown', path: folder }],
      ...format,
    })
    const project = await app.convert()
    if (project === undefined) throw new Error('TypeDoc made nothing: see what it printed.')
    app.validate(project)
    await app.generateOutputs(project)
    if (app.logger.hasErrors() || app.logger.hasWarnings())
      throw new Error('TypeDoc has warnings: see what it printed.')
    const names = await readdir(folder, { recursive: true, withFileTypes: true })
    const files = names.filter((each) => each.isFile()).map((each) => join(each.parentPath, each.name))
    const pages = files.map(
      async (file) => [file.slice(folder.length + 1), await readFile(file, 'utf8')] as const,
    )
    return withKnownAnchors(new Map(await Promise.all(pages)))
  } finally {
    await rm(folder, { recursive: true })
  }
}

/**
 * TypeDoc takes a method for a second heading of the same text: with `Control.clock()` on the page, it numbers the anchor
 * of `ControlClock`, and no heading has it.
 */
function withKnownAnchors(pages: ReadonlyMap<string, string>): Map<string, string> {
  const anchors = new Map([...pages].map(([path, text]) => [path, anchorsOf(text)]))
  const known = (path: string, text: string) =>
    text.replaceAll(
      /\]\(([^)#\s]*)#([\w-]+)-(\d+)\)/g,
      (link, file: string, slug: string, number: string) => {
        const target = anchors.get(file === '' ? path : posix.join(posix.dirname(path), file))
        return target?.has(slug) && !target.has(`${slug}-${number}`) ? `](${file}#${slug})` : link
      },
    )
  return new Map([...pages].map(([path, text]) => [path, known(path, text)]))
}
