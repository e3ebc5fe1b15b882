/**
 * The commands with their options. Each command's work is imported when it runs.
 *
 * @module
 */

import { Command, InvalidArgumentError, Option } from 'commander'
import { messageOf } from '../harness/errors.ts'
import { wrapped } from '../harness/report/wrapped.ts'
import { packageFacts } from '../harness/support/package-facts.ts'
import { columnsOf } from './columns-of.ts'
import { addressMeant, usageError } from './command-meant.ts'
import {
  type CompareFlags,
  compareHelp,
  compareOptionRows,
  type MatrixFlags,
  matrixOptionRows,
} from './compare-options.ts'
import { type CoverageFlags, coverageOptionRows } from './coverage-options.ts'
import { expectAddress, expectArguments, expectNoWord } from './expect-arguments.ts'
import type { ExplainFlags } from './explain.ts'
import { type OpenApiFlags, openApiHelp, openApiOptionRows } from './openapi-options.ts'
import { printLines } from './print-lines.ts'
import {
  type DoctorFlags,
  declaredRows,
  doctorOptionRows,
  initOptionNames,
  initOptionRows,
  listOptionRows,
  type OptionRow,
  type RunFlags,
  runOptionRows,
} from './run-options.ts'
import { type ServeFlags, serveOptionRows } from './serve-options.ts'
import {
  type ProxyFlags,
  proxyOptionRows,
  type ValidateFlags,
  validateOptionRows,
} from './validate-options.ts'

/** @param exit called with the exit code of the command that ran */
export function createProgram(exit: (code: number) => void): Command {
  const { name, version } = packageFacts()
  const program = new Command('conformance')
    .description(`${name} ${version}: tests whether a server conforms to the record and sign-in interface`)
    .version(`${name} ${version}`)
    .configureOutput({
      outputError: (text) =>
        printLines(process.stderr, `${name} ${version}: ${usageError(text)}`.trimEnd().split('\n')),
      getOutHelpWidth: () => helpWidth(process.stdout),
      getErrHelpWidth: () => helpWidth(process.stderr),
    })
    // On a narrow terminal, lines that the parser leaves whole are broken within words.
    .configureHelp({ minWidthToWrap: 10 })
    .exitOverride()
    .addHelpText('before', () => {
      // The parser shows the general help for any word: `conformance foo --help`, `conformance help foo`.
      const [first, second] = program.args
      const word = first === 'help' ? second : first
      const isKnown = program.commands.some((command) => command.name() === word)
      if (!isKnown && word?.startsWith('-') === false && addressMeant(word) === undefined)
        expectNoWord(program, word)
      return ''
    })
    .addHelpText(
      'after',
      helpFooter([
        'Without a command, conformance runs the suite. "conformance run --help" shows the options, such as --base-url.',
        'Exit codes: 0 conformant, 1 non-conformant, 2 usage, configuration or connection error, 3 incomplete.',
        'Pass secrets in CONFORMANCE_SUPERUSER_TOKEN, in CONFORMANCE_SUPERUSER_IDENTITY and CONFORMANCE_SUPERUSER_PASSWORD, or in a target file. Secrets in arguments are rejected.',
        'CONFORMANCE_TARGET and CONFORMANCE_BASE_URL replace --target and --base-url.',
      ]),
    )

  withOptions(program.command('run', { isDefault: true }), runOptionRows)
    .description('run the suite against a target (the default command)')
    // Anything that is not a command comes here as well.
    .action(async (flags: RunFlags, { args }: Command) => {
      const [word] = args
      const baseUrl = args.length === 1 && flags.baseUrl === undefined ? addressMeant(word) : undefined
      if (baseUrl === undefined) expectNoWord(program, word)
      const given = baseUrl === undefined ? flags : { ...flags, baseUrl }
      exit(await (await import('./run.ts')).runCommand(orFromEnvironment(given)))
    })

  withOptions(program.command('serve'), serveOptionRows)
    .description('start the reference server')
    .action(async (flags: ServeFlags) => exit(await (await import('./serve.ts')).serveCommand(flags)))

  withOptions(
    program.command('validate').argument('<files...>', 'HAR, NDJSON or output of curl -i; - for stdin'),
    validateOptionRows,
  )
    .description('validate recorded traffic against the API description')
    .action(async (files: string[], flags: ValidateFlags) =>
      exit(await (await import('./validate.ts')).validateCommand(files, flags)),
    )

  withOptions(program.command('proxy'), proxyOptionRows)
    .description('forward requests to a server and validate its responses')
    .action(async (flags: ProxyFlags) => exit(await (await import('./proxy.ts')).proxyCommand(flags)))

  withOptions(program.command('openapi'), openApiOptionRows)
    .description('write an OpenAPI description of your tables')
    .addHelpText('after', helpFooter(openApiHelp))
    .action(async (flags: OpenApiFlags) => exit(await (await import('./openapi.ts')).openApiCommand(flags)))

  withOptions(program.command('list'), listOptionRows)
    .option('--json', 'print JSON')
    .description('list requirements')
    .action(async (flags) => exit(await (await import('./list.ts')).listCommand(flags)))

  withOptions(program.command('init').argument('[url]', 'the same as --base-url'), [
    ...declaredRows(initOptionNames),
    ...initOptionRows,
  ])
    .description('explore a server and write a target file with comments')
    .action(async (word: string | undefined, flags) => {
      const baseUrl = expectAddress('init', word, flags.baseUrl)
      exit(await (await import('./init.ts')).initCommand({ ...flags, baseUrl }))
    })

  withOptions(program.command('doctor').argument('[url]', 'the same as --base-url'), doctorOptionRows)
    .description(
      'show what is reachable, which credentials work, and which config lines would enable more checks',
    )
    .action(async (word: string | undefined, flags: DoctorFlags) => {
      const given =
        word === undefined ? flags : { ...flags, baseUrl: expectAddress('doctor', word, flags.baseUrl) }
      exit(await (await import('./doctor.ts')).doctorCommand(orFromEnvironment(given)))
    })

  program
    .command('baseline')
    .description('manage the baseline of known failures')
    .command('update')
    .description('add the failures of a report and remove fixed ones; comments and reasons are kept')
    .requiredOption('--report <file>', 'JSON report of a run')
    .requiredOption('--baseline <file>', 'baseline file, created if it does not exist')
    .action(async (flags) => exit(await (await import('./baseline.ts')).baselineUpdateCommand(flags)))

  withOptions(
    program
      .command('coverage')
      .argument('[report]', 'JSON report of a run, or coverage file of validate or proxy'),
    coverageOptionRows,
  )
    .description(
      'show what a run sent and saw: statuses, parameters and actors of each operation. Without a report, the embedded reference is tested',
    )
    .action(async (file: string | undefined, flags: CoverageFlags) =>
      exit(await (await import('./coverage.ts')).coverageCommand(file, flags)),
    )

  withOptions(
    program
      .command('compare')
      .argument(
        '<before>',
        'JSON report, or a target to run now: URL, target file, shipped target, or "embedded" for the embedded reference',
      )
      .argument('<after>', 'the same'),
    compareOptionRows,
  )
    .description('show what broke, was fixed, changed or is new; exit code 1 if something got worse')
    .addHelpText('after', helpFooter(compareHelp))
    .action(async (before: string, after: string, flags: CompareFlags) =>
      exit(await (await import('./compare.ts')).compareCommand(before, after, flags)),
    )

  withOptions(
    program.command('matrix').argument('<reports...>', 'JSON reports; NAME=FILE gives a column its heading'),
    matrixOptionRows,
  )
    .description('write an HTML page with one row per requirement, and one column per report')
    .action(async (files: string[], flags: Partial<MatrixFlags>) =>
      exit(await (await import('./matrix.ts')).matrixCommand(files, flags)),
    )

  program
    .command('explain')
    .argument('<id>', 'id of a requirement')
    .option(
      '--verbose',
      'also show the fingerprints of its sentences, and the defect that the failing exchange shows',
    )
    .description('show what a requirement says, where it comes from, and exchanges that conform and fail')
    .action(async (id: string, flags: ExplainFlags) =>
      exit(await (await import('./explain.ts')).explainCommand(id, flags)),
    )

  program.hook('preAction', (_, command) => expectArguments(command))
  settle(program, 'conformance')
  return program
}

/** The parser wraps the rest of the help at this width, also in a pipe. */
function helpWidth(stream: NodeJS.WriteStream): number {
  return columnsOf(stream) ?? 80
}

/** What the help ends with, in lines as wide as the rest of it. */
function helpFooter(lines: readonly string[]): (context: { error: boolean }) => string {
  return ({ error }) => {
    const width = helpWidth(error ? process.stderr : process.stdout)
    return ['', ...lines.flatMap((line) => wrapped(line, width))].join('\n')
  }
}

/** Points to the help of the command itself: the options of others do not help after a mistake in one. */
function settle(command: Command, name: string): void {
  command.showHelpAfterError(`  next  \`${name} --help\` shows all options`)
  // The message of the library does not name the argument: see `expectArguments`.
  command.allowExcessArguments()
  for (const each of command.commands) settle(each, `${name} ${each.name()}`)
}

function withOptions(command: Command, rows: readonly OptionRow[]): Command {
  for (const { flags, description, parse, group, standard } of rows) {
    const option = new Option(flags, description)
    if (group !== undefined) option.helpGroup(`${group}:`)
    if (standard !== undefined) option.default(standard)
    if (parse !== undefined)
      option.argParser((text: string, previous: unknown) => parsed(parse, text, previous))
    command.addOption(option)
  }
  return command.exitOverride()
}

function parsed(parse: NonNullable<OptionRow['parse']>, text: string, previous: unknown): unknown {
  try {
    return parse(text, previous)
  } catch (error) {
    throw new InvalidArgumentError(messageOf(error))
  }
}

/** The flags, with the target that the environment names if they name none: `serve --exec` sets it for its command. */
function orFromEnvironment<Flags extends { target?: string; baseUrl?: string }>(flags: Flags): Flags {
  if (flags.target !== undefined || flags.baseUrl !== undefined) return flags
  const { CONFORMANCE_TARGET: target, CONFORMANCE_BASE_URL: baseUrl } = process.env
  if (target) return { ...flags, target }
  return baseUrl ? { ...flags, baseUrl } : flags
}
