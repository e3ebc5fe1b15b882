/** Invalid input is rejected by name, before anything is started or requested, and never with a stack trace. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-bad-input-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const data = join(folder, 'data.json')
writeFileSync(data, '{"tables":[]}')

const noOne = { CONFORMANCE_SUPERUSER_IDENTITY: 'nobody' }

it.each<[string, string[], RegExp, Record<string, string>?]>([
  [
    'a report that is not there',
    ['compare', 'before.json', 'after.json'],
    /the report cannot be read \(ENOENT\)\n {2}at {4}conformance compare before\.json\n {2}next {2}/,
  ],
  [
    'a word that is neither a report nor a target',
    ['compare', 'nofile', 'embedded'],
    /there is no report, target file or shipped target "nofile"\n {2}at {4}conformance compare nofile\n {2}next .*--report json=FILE/,
  ],
  ['a prefix without its slash', ['--prefix', 'api'], /--prefix[\s\S]*must be a path such as \/api\/v1/],
  [
    'a header that cannot be sent',
    ['--header', 'x-a: 漢'],
    /another invalid character\n {2}at {4}--header x-a:漢/,
  ],
  [
    'a token with a line break',
    ['doctor', '--base-url', 'http://127.0.0.1:9'],
    /another invalid character\n {2}at {4}CONFORMANCE_SUPERUSER_TOKEN/,
    { CONFORMANCE_SUPERUSER_TOKEN: 'sekret\n' },
  ],
  ['an identity that is not an address', ['serve'], /at {4}CONFORMANCE_SUPERUSER_IDENTITY/, noOne],
  ['the same with a data file', ['serve', '--data', data], /at {4}CONFORMANCE_SUPERUSER_IDENTITY/, noOne],
  [
    'a password that is too long',
    ['serve'],
    /at {4}CONFORMANCE_SUPERUSER_PASSWORD/,
    { CONFORMANCE_SUPERUSER_PASSWORD: 'sekret'.repeat(13) },
  ],
  ['no command at all', ['serve', '--exec', ''], /--exec[\s\S]*must not be empty/],
])(
  'exit 2 for %s',
  async (_name, args, message, env = {}) => {
    const { code, out, err } = await commandInProcess(args, { env })
    expect(err).toMatch(message)
    expect(err).not.toMatch(/\n {4}at |sekret/)
    expect(out).toBe('')
    expect(code).toBe(2)
  },
  120_000,
)
