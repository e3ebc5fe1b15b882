import { expect, it } from 'vitest'
import { commandMeant, withOptionMeant } from './near-misses.ts'
import { createProgram } from './program.ts'

it('leads to commands that exist', () => {
  const names = createProgram(() => {}).commands.map((command) => command.name())
  expect(Object.values(commandMeant).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(commandMeant).filter((name) => names.includes(name))).toEqual([])
})

it('names the option that was meant', () => {
  expect(withOptionMeant("error: unknown option '--url'\n")).toBe(
    "error: unknown option '--url'\n(Did you mean --base-url?)\n",
  )
})

it.each([
  "error: unknown option '--base-ur'\n(Did you mean --base-url?)\n",
  "error: unknown option '--quux'\n",
  'error: missing argument',
])('leaves %j as it is', (message) => {
  expect(withOptionMeant(message)).toBe(message)
})
