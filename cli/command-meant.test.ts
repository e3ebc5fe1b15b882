import { expect, it } from 'vitest'
import { addressMeant, commandMeant, usageError } from './command-meant.ts'
import { createProgram } from './program.ts'

it('leads to commands that exist', () => {
  const names = createProgram(() => {}).commands.map((command) => command.name())
  expect(Object.values(commandMeant).filter((name) => !names.includes(name))).toEqual([])
  expect(Object.keys(commandMeant).filter((name) => names.includes(name))).toEqual([])
})

it.each([
  ["error: unknown option '--url'\n", "unknown option '--url'. Did you mean --base-url?\n"],
  [
    "error: unknown option '--base-ur'\n(Did you mean --base-url?)\n",
    "unknown option '--base-ur'. Did you mean --base-url?\n",
  ],
  ["error: unknown option '--quux'\n", "unknown option '--quux'\n"],
  ["error: option '--only <what>' argument missing\n", "option '--only <what>' argument missing\n"],
  [
    "error: option '--seed <number>' argument 'it's' is invalid. must be an integer from 1 to 2\n",
    "--seed must be an integer from 1 to 2\n  at    --seed it's\n",
  ],
  [
    "error: option '--header <name:value>' argument 'X-Key: secret' is invalid. must not contain a secret\n",
    '--header must not contain a secret\n  at    --header …\n',
  ],
  [
    "error: option '--header <name:value>' argument 'X-Key=secret' is invalid. must have the form name:value\n",
    '--header must have the form name:value\n  at    --header …\n',
  ],
  [
    "error: option '--report <format=file>' argument 'foo=x' is invalid. unknown format \"foo\"\n",
    '--report: unknown format "foo"\n  at    --report foo=x\n',
  ],
  [
    "error: unknown option '--bas-url=http://user:pw@host/'\n(Did you mean --base-url?)\n",
    "unknown option '--bas-url'. Did you mean --base-url?\n",
  ],
])('words %j as our own errors are', (message, worded) => {
  expect(usageError(message)).toBe(worded)
})

it.each([
  ['http://127.0.0.1:8090', 'http://127.0.0.1:8090'],
  ['https://example.com', 'https://example.com'],
  ['localhost:8090', 'http://localhost:8090'],
  ['127.0.0.1:8090', 'http://127.0.0.1:8090'],
  ['[::1]:8090', 'http://[::1]:8090'],
  ['api.example.com:443/base', 'http://api.example.com:443/base'],
  ['test', undefined],
  ['list.shape', undefined],
  ['seed:', undefined],
  [undefined, undefined],
])('takes %j for the address %j', (word, address) => {
  expect(addressMeant(word)).toBe(address)
})

it('groups the options of every command that has many', () => {
  const program = createProgram(() => {})
  const plain = program.commands
    .filter(({ options }) => options.length > 8)
    .filter(({ options }) => options.some(({ helpGroupHeading }) => helpGroupHeading === undefined))
  expect(plain.map((command) => command.name())).toEqual([])
})
