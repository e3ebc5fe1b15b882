/** `package-lock.json` is complete: what `npm ci` installs is what was locked, on every system. */

import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { type LockFile, lockFlaws } from './support/lock-flaws.ts'

const lock = JSON.parse(
  readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'),
) as LockFile & {
  packages: Record<string, { hasInstallScript?: boolean; bin?: Record<string, string> }>
}

// A registry may lack the builds of a package for some systems. npm then leaves them out, or without checksum: choose
// the newest version of the package whose builds are all there.
test('every package has its address in the public registry and a checksum, for every system', () => {
  expect(Object.keys(lock.packages).length).toBeGreaterThan(100)
  expect(lockFlaws(lock)).toEqual([])
})

test('two development tools have install scripts, and nothing else', () => {
  const scripted = Object.keys(lock.packages).filter((place) => lock.packages[place]?.hasInstallScript)
  expect(scripted).toEqual(['node_modules/esbuild', 'node_modules/msw'])
})

// Which of the two npm links depends on what was installed before: a fresh clone may get the other one.
test('no script calls a command that two packages install', () => {
  const { scripts } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
    scripts: Record<string, string>
  }
  const called = Object.values(scripts).flatMap((script) =>
    script.split('&&').map((each) => each.trim().split(' ')[0] ?? ''),
  )
  const providers = (command: string) =>
    Object.keys(lock.packages).filter(
      (place) => /^node_modules\/(?:@[^/]+\/)?[^/]+$/.test(place) && lock.packages[place]?.bin?.[command],
    )
  expect(providers('vitest')).toEqual(['node_modules/vitest'])
  expect(called.filter((command) => providers(command).length > 1)).toEqual([])
})

const sound = {
  version: '1.0.0',
  resolved: 'https://registry.npmjs.org/@a/b/-/b-1.0.0.tgz',
  integrity: `sha512-${'A'.repeat(86)}==`,
}

test.each<[string, LockFile['packages'][string], RegExp | undefined]>([
  ['a sound entry', sound, undefined],
  ['no address', { ...sound, resolved: undefined }, /"resolved": nothing/],
  ['another registry', { ...sound, resolved: 'https://npm.example/@a/b/-/b-1.0.0.tgz' }, /npm\.example/],
  ['http', { ...sound, resolved: sound.resolved.replace('https', 'http') }, /http:/],
  ['another package', { ...sound, resolved: sound.resolved.replace('b-1', 'c-1') }, /c-1\.0\.0/],
  ['another version', { ...sound, version: '1.0.1' }, /b-1\.0\.1/],
  ['no checksum', { ...sound, integrity: undefined }, /"integrity": nothing/],
  ['a weak checksum', { ...sound, integrity: 'sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=' }, /sha1/],
  ['a missing dependency', { ...sound, dependencies: { c: '1' } }, /needs c/],
  ['a missing build', { ...sound, optionalDependencies: { '@a/b-linux': '1' } }, /needs @a\/b-linux/],
])('%s', (_, locked, flaw) => {
  const found = lockFlaws({ packages: { 'node_modules/x/node_modules/@a/b': locked } })
  expect(found).toEqual(flaw ? [expect.stringMatching(flaw)] : [])
})

test('a dependency may be next to, above or below the package that needs it', () => {
  const needing = { ...sound, dependencies: { '@a/b': '1' } }
  for (const place of ['node_modules/@a/b', 'node_modules/x/node_modules/@a/b'])
    expect(lockFlaws({ packages: { [place]: sound, 'node_modules/x/node_modules/@a/b': needing } })).toEqual(
      [],
    )
  expect(lockFlaws({ packages: { 'node_modules/y/node_modules/@a/b': sound, '': needing } })).toHaveLength(1)
})
