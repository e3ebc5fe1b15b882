import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { makeFolder } from './make-folder.ts'

it('makes the folders above, and needs none', () => {
  const top = mkdtempSync(join(tmpdir(), 'make-folder-'))
  onTestFinished(() => rmSync(top, { recursive: true }))
  for (let times = 0; times < 2; times++) makeFolder(join(top, 'a/b/c'))
  expect(existsSync(join(top, 'a/b/c'))).toBe(true)
})

it('says so where a file has the name', () => {
  const top = mkdtempSync(join(tmpdir(), 'make-folder-'))
  onTestFinished(() => rmSync(top, { recursive: true }))
  writeFileSync(join(top, 'a'), '')
  expect(() => makeFolder(join(top, 'a'))).toThrow('EEXIST')
  expect(() => makeFolder(join(top, 'a/b'))).toThrow('ENOTDIR')
})

// In a process of its own: it would never end.
it.runIf(existsSync('/proc/self'))('ends in /proc', () => {
  const file = new URL('./make-folder.ts', import.meta.url).href
  const script = `import { makeFolder } from ${JSON.stringify(file)}
    try { makeFolder('/proc/nope/a') } catch ({ code }) { console.log(code) }`
  const { stdout } = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script], {
    encoding: 'utf8',
    timeout: 20_000,
    cwd: new URL('../..', import.meta.url),
  })
  expect(stdout).toBe('ENOENT\n')
})
