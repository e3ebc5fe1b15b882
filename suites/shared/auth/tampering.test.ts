import { expect, it } from 'vitest'
import { flipped, flippedNearEnd, tamperings } from './tampering.ts'

it('replaces a letter by another one, not by another case of it', () => {
  expect(flipped('abc', 0)).toBe('Bbc')
  expect(flipped('Abc', 0)).toBe('Bbc')
  expect(flipped('xbc', 0)).toBe('Abc')
})

it('replaces the last character but three', () => {
  expect(flippedNearEnd('12345678')).toBe('1234A678')
  expect(flippedNearEnd('12')).toBe('A2')
})

it('alters a token near its end and keeps its length', () => {
  const token = `head.payload.${'s'.repeat(43)}`
  expect(tamperings(token)).toContainEqual([
    'another character near its end',
    `head.payload.${'s'.repeat(39)}Asss`,
  ])
})

it('adds a part to a token that has parts, and to no other', () => {
  expect(tamperings('head.payload.signature')).toContainEqual([
    'another part after it',
    'head.payload.signature.x',
  ])
  expect(tamperings('opaque').map(([what]) => what)).not.toContain('another part after it')
})
