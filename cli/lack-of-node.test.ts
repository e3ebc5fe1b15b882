/** An old Node gets a sentence, and not an exit code that means "does not conform". */

import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'
import { expect, it } from 'vitest'
import { builtCommand } from '../scripts/support/command.ts'
import { lackOfNode } from './lack-of-node.ts'

const root = new URL('../', import.meta.url)

it.each(['12.22.0', '18.20.8', '20.10.0', '20.18.3'])('Node %s is too old', (version) => {
  const lack = lackOfNode(version)
  expect(lack).toMatch(`needs Node 20.19 or newer; this is Node ${version} (`)
  expect(lack).toContain('\n  next  install a newer Node')
})

it.each(['20.19.0', '20.20.1', '22.0.0', '24.1.0', '100.0.0'])('Node %s will do', (version) => {
  expect(lackOfNode(version)).toBeUndefined()
})

it('names the version of package.json', () => {
  const { engines } = JSON.parse(readFileSync(new URL('package.json', root), 'utf8')) as {
    engines: { node: string }
  }
  expect(lackOfNode('18.0.0')).toContain(`needs Node ${engines.node.replace('>=', '')} or newer`)
})

/** What an old Node reads before it can be rejected: the built command, and what that imports. */
function readFirst(): string[] {
  const files = [builtCommand]
  // The loop also visits what is added meanwhile.
  for (const file of files)
    for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^import .*?"(\.[^"]+)";$/gm))
      files.push(fileURLToPath(new URL(path, `file://${file}`)))
  return files
}

it('what is read first is short, imports nothing else, and is written for old versions', () => {
  const texts = readFirst().map((file) => readFileSync(file, 'utf8').replace(/^#!.*/, ''))
  expect(texts.join('').length).toBeLessThan(4_000)
  for (const text of texts) {
    expect(text).not.toMatch(/^import .*?from "[^.]/m)
    // Unchanged by a compiler for Node 13: it has nothing newer. `await` at the top would make this throw.
    const options = { target: 'node13.2', minifySyntax: false } as const
    expect(transformSync(text, options).code).toBe(transformSync(text).code)
  }
})

it('ends with exit code 2, also where Node reports another version', () => {
  const preload = 'Object.defineProperty(process.versions, "node", { value: "18.20.8" })'
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(preload)}`]
  const { status, stdout, stderr } = spawnSync(process.execPath, [...flags, builtCommand, '--version'], {
    encoding: 'utf8',
  })
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^record-auth-conformance: needs Node 20\.19 or newer; this is Node 18\.20\.8/)
})

it('says that the current folder is gone', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lack-of-node-'))
  const script = 'rmdir "$1" && exec "$2" "$3" --version'
  const { status, stderr } = spawnSync('sh', ['-c', script, '-', folder, process.execPath, builtCommand], {
    encoding: 'utf8',
    cwd: folder,
  })
  expect([status, stderr]).toEqual([
    2,
    'record-auth-conformance: the current folder was deleted\n  next  change to another one, for example with `cd`\n',
  ])
})
