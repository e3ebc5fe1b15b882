import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { type ParsedCopy, parsedCopy, readData } from './read-data.ts'

it('reads a parsed copy only as long as its source is the same', () => {
  const name = '../.cache/read-data/made-up'
  const [source, copy] = [new URL(`${name}.yaml`, import.meta.url), parsedCopy(name)]
  for (const file of [source, copy]) {
    const folder = new URL('.', file)
    mkdirSync(folder, { recursive: true })
    onTestFinished(() => rmSync(folder, { recursive: true }))
  }
  writeFileSync(source, 'one: 1')
  expect(readData(name)).toEqual({ one: 1 })
  // Another content than that of the source shows which of them was read.
  writeFileSync(copy, JSON.stringify({ source: 'one: 1', content: 'the copy' } satisfies ParsedCopy))
  expect(readData(name)).toBe('the copy')
  writeFileSync(source, 'two: 2')
  expect(readData(name)).toEqual({ two: 2 })
})
