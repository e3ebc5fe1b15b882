/**
 * What the command line refuses before it does anything.
 */

import { describe, expect, it } from 'vitest'
import { createProgram } from './program.ts'

const program = (...args: string[]) => createProgram(() => {}).parseAsync(['node', 'conformance', ...args])

describe('a word that is no command', () => {
  it.each<[string[], RegExp]>([
    [['lst'], /^there is no command "lst"\n[\s\S]*did you mean list\?$/],
    [['--seed', '1', 'validat'], /^there is no command "validat"\n[\s\S]*did you mean validate\?$/],
    [['record.id'], /^there is no command "record\.id"\n[\s\S]*--help/],
    [['run', 'record.id'], /^the command "run" takes no word[\s\S]*--only record\.id$/],
  ])(
    '%j',
    async (args, message) => {
      await expect(program(...args)).rejects.toThrow(message)
    },
    60_000,
  )
})
