/**
 * Writes the types `RunOptions` and `SuiteOptions` (`harness/generated/run-options.ts`) and the page `docs/options.md` from the declarations
 * in `harness/run-options.ts`: `npm run generate`.
 *
 * @module
 */

import { declaredOptions, type OptionDeclaration } from '../harness/run-options.ts'
import { generatedFile } from './support/generated-file.ts'

export const typeFile = generatedFile(
  new URL('../harness/generated/run-options.ts', import.meta.url),
  runOptionsType,
)
export const pageFile = generatedFile(new URL('../docs/options.md', import.meta.url), optionsPage)

const wholeRunOptions = declaredOptions().flatMap(([name, { wholeRun }]) => (wholeRun ? [name] : []))

/** Columns. */
const widest = 110

const types: Record<OptionDeclaration['kind'], string> = {
  string: 'string',
  prefix: 'string',
  words: 'readonly string[]',
  level: 'Level',
  number: 'number',
  integer: 'number',
  switch: 'boolean',
  headers: 'Readonly<Record<string, string>>',
}

/** `undefined` means absent, which `exactOptionalPropertyTypes` distinguishes. */
function optional(type: string): string {
  return `${type.includes('=>') ? `(${type})` : type} | undefined`
}

function runOptionsType(): string {
  const members = declaredOptions().map(
    ([name, option]) => `${comment(option)}\n  ${name}?: ${optional(option.type ?? types[option.kind])}`,
  )
  return `/**
 * Generated from harness/run-options.ts by \`npm run generate\`. Not to be edited.
 *
 * @module
 */

import type { Level } from '../../spec/vocabulary.ts'
import type { RunEvent } from '../vocabulary/run.ts'
import type { Target } from '../vocabulary/target.ts'

/** The options of a run. */
export interface RunOptions {
${members.join('\n')}
}

/** The options of a run, without those that decide when a check runs: in a test runner, the runner decides. */
export type SuiteOptions = Omit<RunOptions, ${wholeRunOptions.map((name) => `'${name}'`).join(' | ')}>
`
}

function optionsPage(): string {
  const rows = declaredOptions().map(([name, option]) => {
    const { flags, syntax, targetKey, wholeRun, default: value = '' } = option
    const meaning = [
      sentence(option),
      syntax === undefined ? '' : `On the command line: ${syntax}.`,
      targetKey === undefined ? '' : `In a target file: \`${targetKey}\`.`,
      wholeRun ? 'Not in a test runner.' : '',
    ]
    return `| ${flags === undefined ? '' : `\`${flags}\``} | \`${name}\` | ${meaning.filter(Boolean).join(' ')} | ${value} |`
  })
  return `# The options of a run

<!-- Written by \`npm run generate\` from harness/run-options.ts. Do not edit. -->

\`npx conformance\` takes these options. \`runConformance\` takes the same under the names of the second column:

\`\`\`js
import { runConformance } from 'record-auth-conformance'

const { verdict } = await runConformance({ only: ['list.page'], seed: 7, timeout: 5000 })
console.log(verdict.outcome)
\`\`\`

\`\`\`sh
npx conformance --only list.page --seed 7 --timeout 5000
\`\`\`

| option | in a program | meaning | default |
| ------ | ------------ | ------- | ------- |
${rows.join('\n')}

[\`conformanceSuite\` and \`conformanceTests\`](test-runners.md) take all of them except ${names(wholeRunOptions)}:
there, the test runner decides which checks run, and when to stop.

Options for what the command prints (\`--report\`, \`--quiet\` and others) are in \`npx conformance run --help\`. What is
particular to a server is in its [target file](targets.md).
`
}

/** In code: a, b and c. */
function names(all: readonly string[]): string {
  const code = all.map((name) => `\`${name}\``)
  return `${code.slice(0, -1).join(', ')} and ${code.at(-1)}`
}

/** In one line if it fits. */
function comment(option: OptionDeclaration): string {
  const text = sentence(option, option.flags?.split(' ')[0])
  const tag = `@default ${option.default ?? (option.kind === 'switch' ? 'false' : 'none')}`
  const short = `  /** ${text} ${tag} */`
  if (short.length <= widest) return short
  const lines = [...wrapped(text), '', tag]
  return ['  /**', ...lines.map((line) => `   * ${line}`.trimEnd()), '   */'].join('\n')
}

/** @param flag in parentheses, if it is not said elsewhere */
function sentence({ says, more }: OptionDeclaration, flag?: string): string {
  const named = flag === undefined ? '' : ` (\`${flag}\`)`
  return `${says.slice(0, 1).toUpperCase()}${says.slice(1)}${named}.${more === undefined ? '' : ` ${more}`}`
}

function wrapped(text: string): string[] {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + word.length + 6 <= widest)
      lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

if (process.argv[1] === new URL(import.meta.url).pathname) {
  await typeFile.write()
  await pageFile.write()
}
