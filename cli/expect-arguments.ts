/**
 * Which arguments a command has no place for, and what they were meant as.
 *
 * @module
 */

import type { Command } from 'commander'
import { ConfigurationError } from '../harness/errors.ts'
import { nearest } from '../spec/nearest.ts'
import { addressMeant, commandMeant, optionOfArgument } from './command-meant.ts'

/** @throws ConfigurationError that names an argument for which the command has no place */
export function expectArguments(command: Command): void {
  const { args, registeredArguments: declared } = command
  const extra = declared.at(-1)?.variadic === true ? undefined : args[declared.length]
  // What the default command does with a word, it says itself.
  if (extra === undefined || command.name() === 'run') return
  const option = Object.hasOwn(optionOfArgument, command.name())
    ? optionOfArgument[command.name()]
    : undefined
  throw new ConfigurationError(
    `unexpected argument "${extra}"`,
    `conformance ${command.name()} ${args.join(' ')}`,
    option === undefined
      ? `\`conformance ${command.name()} --help\` shows what it takes`
      : `did you mean ${option} ${extra}?`,
  )
}

/** The address of a command that needs one. @throws ConfigurationError if there is none, or two */
export function expectAddress(command: string, word: string | undefined, given: string | undefined): string {
  if (word !== undefined && given !== undefined)
    throw new ConfigurationError(
      'the address is given twice',
      `${command} ${word} --base-url`,
      'use one of them',
    )
  const address = word === undefined ? given : addressMeant(word)
  if (address !== undefined) return address
  throw new ConfigurationError(
    word === undefined ? 'the address of the server is missing' : `"${word}" is not an address`,
    `conformance ${command}`,
    `use \`conformance ${command} http://127.0.0.1:8090\``,
  )
}

/** @throws ConfigurationError for a word where a command or an option is expected */
export function expectNoWord(program: Command, word: string | undefined): void {
  if (word === undefined) return
  if (program.args[0] === 'run')
    throw new ConfigurationError(
      `the command "run" accepts only options, not the argument "${word}"`,
      `run ${word}`,
      `to select what to run, use --only ${word}`,
    )
  const lower = word.toLowerCase()
  const near =
    (Object.hasOwn(commandMeant, lower) ? commandMeant[lower] : undefined) ??
    nearest(
      word,
      program.commands.map((command) => command.name()),
    )
  throw new ConfigurationError(
    `unknown command "${word}"`,
    `conformance ${word}`,
    meantWith(program, word) ??
      (near === undefined ? '`conformance --help` shows all commands' : `did you mean ${near}?`),
  )
}

/** What a word was meant as: a file of traffic, or one more of the requirements to run. */
function meantWith({ rawArgs }: Command & { rawArgs?: readonly string[] }, word: string): string | undefined {
  if (/\.(har|ndjson|jsonl)$/i.test(word)) return `to validate traffic, use \`conformance validate ${word}\``
  const only = rawArgs?.[rawArgs.indexOf('--only') + 1]
  if (rawArgs?.includes('--only') !== true || only === undefined) return undefined
  return `separate what to run by commas: --only '${only},${word}'`
}
