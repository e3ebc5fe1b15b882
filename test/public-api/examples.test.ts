/** The examples in the doc comments of the functions that users import. */

import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { expect, test } from 'vitest'
import { entries } from '../../scripts/entries.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  lib: ['lib.es2023.d.ts', 'lib.esnext.disposable.d.ts', 'lib.dom.d.ts'],
  types: ['node'],
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  // What users import is compiled from the sources, so that the test needs no build.
  paths: Object.fromEntries(entries.map(({ name, source }) => [name, [root + source]])),
}

/** Examples by path. The host reads each file of the project once for both programs. */
const examples = new Map<string, string>()
const host = ts.createCompilerHost(options)
const { fileExists, getSourceFile } = host
const parsed = new Map<string, ts.SourceFile | undefined>()
host.fileExists = (path) => examples.has(path) || fileExists(path)
host.getSourceFile = (path, language) => {
  const example = examples.get(path)
  if (!parsed.has(path))
    parsed.set(
      path,
      example === undefined
        ? getSourceFile(path, language)
        : ts.createSourceFile(path, example, language, true),
    )
  return parsed.get(path)
}

/** The functions that an entry exports, each with its example. */
function functionsOf(entry: string, program: ts.Program): [name: string, example: string | undefined][] {
  const checker = program.getTypeChecker()
  const module = checker.getSymbolAtLocation(program.getSourceFile(entry) as ts.SourceFile)
  if (module === undefined) throw new Error(`${entry} exports nothing.`)
  return checker
    .getExportsOfModule(module)
    .map((symbol) => (symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol))
    .filter(({ flags }) => flags & ts.SymbolFlags.Function)
    .map((symbol) => {
      const tag = symbol.getJsDocTags(checker).find(({ name }) => name === 'example')
      return [symbol.name, tag && ts.displayPartsToString(tag.text)]
    })
}

test('every function that users import has an example that compiles', () => {
  const paths = entries.map(({ source }) => root + source)
  const program = ts.createProgram(paths, options, host)
  const functions = paths.flatMap((path) => functionsOf(path, program))
  expect(functions.length).toBeGreaterThan(20)
  expect(functions.filter(([, example]) => example === undefined).map(([name]) => name)).toEqual([])

  for (const [name, example = ''] of functions)
    examples.set(`${root}test/public-api/${name}.ts`, example.replace(/^```ts\n|\n?```\s*$/g, ''))
  const compiled = ts.createProgram([...examples.keys()], options, host)
  const problems = [...examples.keys()].flatMap((path) => {
    const source = compiled.getSourceFile(path)
    return [...compiled.getSyntacticDiagnostics(source), ...compiled.getSemanticDiagnostics(source)].map(
      ({ messageText }) =>
        `${path.slice(root.length)}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`,
    )
  })
  expect(problems).toEqual([])
}, 120_000)
