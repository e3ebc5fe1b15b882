/**
 * What the commands behind `npm run …` share: `--help`, and exit code 2 for an option that does not exist or does not fit.
 *
 * @module
 */

import { Command, InvalidArgumentError } from 'commander'

/**
 * @param name as in `npm run <name>`
 * @param exitCodes what follows "Exit codes: 0 "
 */
export function scriptCommand(name: string, description: string, exitCodes: string): Command {
  return new Command(`npm run ${name} --`)
    .description(description)
    .addHelpText('after', `\nExit codes: 0 ${exitCodes}`)
    .showHelpAfterError('--help lists the options.')
    .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : 2))
}

/** @throws InvalidArgumentError for anything but the digits of a whole number */
export function wholeNumber(text: string): number {
  if (/^\d{1,15}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('It must be a whole number.')
}
