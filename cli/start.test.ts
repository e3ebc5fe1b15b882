/** What every command loads at start: `--help` and `explain` load nothing more. */

import { readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The static imports of a file, without types and dynamic imports. */
function loadedBy(file: string): string[] {
  const source = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
    true,
  )
  return source.statements.flatMap((statement) => {
    const isImport = ts.isImportDeclaration(statement) && statement.importClause?.isTypeOnly !== true
    const isExport = ts.isExportDeclaration(statement) && !statement.isTypeOnly
    const from = isImport || isExport ? statement.moduleSpecifier : undefined
    return from !== undefined && ts.isStringLiteral(from) ? [from.text] : []
  })
}

function closureOf(start: string): { files: string[]; packages: string[] } {
  const files = new Set([start])
  const packages = new Set<string>()
  for (const file of files)
    for (const name of loadedBy(file)) {
      if (name.startsWith('.')) files.add(relative(root, join(root, dirname(file), name)))
      else if (!name.startsWith('node:')) packages.add(name)
    }
  return { files: [...files].sort(), packages: [...packages].sort() }
}

it('the command line loads its options, and no implementation of a command', () => {
  const { files, packages } = closureOf('cli/run-program.ts')
  expect(packages).toEqual(['commander'])
  expect(files.filter((file) => !file.startsWith('cli/'))).toEqual([
    'exchange/bare-host.ts',
    'exchange/secrets/secret-names.ts',
    'exchange/visible.ts',
    'harness/errors.ts',
    'harness/report/formats.ts',
    'harness/report/wrapped.ts',
    'harness/run-options.ts',
    'harness/support/package-facts.ts',
    'harness/target/shipped-targets.ts',
    'spec/in-words.ts',
    'spec/nearest.ts',
    'spec/prefix.ts',
  ])
})

it.each([
  ['serve', ['yaml', 'ajv/dist/2020.js', 'undici', 'fast-check']],
  ['validate', ['yaml', 'ajv/dist/2020.js', 'undici', 'fast-check']],
  ['doctor', ['yaml', 'ajv/dist/2020.js', 'fast-check']],
  ['explain', ['yaml', 'ajv/dist/2020.js', 'undici', 'fast-check']],
])('conformance %s loads what it always needs, and not %j', (command, needless) => {
  const { packages } = closureOf(`cli/${command}.ts`)
  expect(packages.filter((name) => needless.includes(name))).toEqual([])
})
