/**
 * `conformance validate FILE…`: recorded traffic, held against the interface.
 *
 * @module
 */

import { readFileSync } from 'node:fs'
import { ConfigurationError } from '../harness/errors.ts'
import { createCoverage } from '../validate/coverage.ts'
import { createValidator, type ResponseValidator } from '../validate/create-validator.ts'
import { readTraffic } from '../validate/traffic/read-traffic.ts'
import type { ValidationResult } from '../validate/vocabulary.ts'
import type { ValidateFlags } from './validate-options.ts'
import { settleCoverage, validatorOptions } from './validator-options.ts'

const conformant = 0
const nonConformant = 1
const nothing = 3

/** @returns the exit code: 3 when no exchange of the interface was found, so that an empty capture is not a success */
export async function validateCommand(files: readonly string[], flags: ValidateFlags): Promise<number> {
  const coverage = createCoverage()
  const validator = createValidator({ ...validatorOptions(flags), coverage })
  const tally = { exchanges: 0, judged: 0, broken: 0, unjudged: 0, shown: 0, findings: 0 }
  const print = (text: string) =>
    void (flags.json === true ? process.stderr : process.stdout).write(`${text}\n`)

  for (const file of files) {
    for (const { place, what, result } of judged(file, validator, flags)) {
      tally.exchanges += 1
      if (result.operation === undefined) continue
      tally.judged += 1
      if (!result.ok) tally.broken += 1
      if (result.unjudged !== undefined) tally.unjudged += 1
      if (flags.json === true) {
        process.stdout.write(`${JSON.stringify({ place, request: what, ...result })}\n`)
        continue
      }
      show(place, what, result)
    }
  }

  function show(place: string, what: string, { findings, unjudged }: ValidationResult): void {
    const most = flags.most ?? 20
    const counting = findings.filter(({ status }) => status !== 'observed')
    tally.findings += counting.length
    const now = counting.slice(0, Math.max(0, most - tally.shown))
    tally.shown += now.length
    if (now.length > 0) print(`${place}  ${what}\n${now.join('\n')}`)
    if (unjudged !== undefined) print(`${place}  ${what}\n  not judged: ${unjudged}`)
  }

  if (tally.findings > tally.shown) print(`… and ${tally.findings - tally.shown} findings more (--most)`)
  const enough = settleCoverage(coverage, flags, print)
  print(
    `${tally.judged} of ${tally.exchanges} exchanges are the interface's: ` +
      `${tally.judged - tally.broken} conform, ${tally.broken} do not${tally.unjudged > 0 ? `, ${tally.unjudged} could not be looked into` : ''}`,
  )
  if (tally.judged === 0) {
    print('nothing was judged: is --prefix right?')
    return nothing
  }
  return tally.broken > 0 || !enough ? nonConformant : conformant
}

function* judged(file: string, validator: ResponseValidator, flags: ValidateFlags) {
  const name = file === '-' ? 'stdin' : file
  let content: string
  try {
    content = readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    const { code = String(error) } = error as NodeJS.ErrnoException
    throw new ConfigurationError(
      `the traffic cannot be read (${code})`,
      file,
      'name a file that exists, or - for stdin',
    )
  }
  try {
    for (const { exchange, number } of readTraffic(content, flags.request)) {
      const { method = 'GET', url } = exchange.request
      const result = validator.validate(exchange)
      // The query may hold a secret.
      yield {
        place: `${name}:${number}`,
        what: `${method} ${url.split('?', 1)[0]} ${exchange.response.status}`,
        result,
      }
    }
  } catch (error) {
    throw new ConfigurationError(
      `the traffic cannot be understood: ${error instanceof Error ? error.message : String(error)}`,
      name,
      'give a HAR, a file with one JSON exchange a line, or the output of curl -i',
    )
  }
}
