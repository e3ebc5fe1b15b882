import { expect, test } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { excerpt } from './excerpt.ts'

test.each([
  ['<p>One <b>t</b>wo</p><p title="a > b">three</p>', 'One two b">three'],
  ['a<a title="x<y">b</a>', 'ab'],
  ['a <b c', 'a <b c'],
  ['a<br>b <b c', 'ab <b c'],
  ['a<!DOCTYPE html>b<!doctype', 'a b<!doctype'],
  ['a<!-- <p> -->b<!-- c > d', 'ab'],
  ['a<script>b < c</script >d', 'ad'],
  ['a<SCRIPT src="x">b <p> c', 'a'],
  ['a<script>b > c <p', 'a'],
  ['a<script>b</script> <style', 'a <style'],
  ['a<style>b</style>c<svg><path></svg>d<svg', 'acd<svg'],
  ['a<header>b</header>c', 'a b c'],
  ['1 < 2 > 0', '1 < 2 > 0'],
  ['<a-', '<a-'],
  ['<a_b>c', '<a_b>c'],
  ['&lt;&constructor;&none;', '<&constructor;&none;'],
])('the text of %s', (html, text) => {
  expect(excerpt(html, 100, false)).toBe(text)
})

test('characters are counted, not their units', () => {
  expect(excerpt('😀😀😀', 2, true)).toBe('😀😀...')
  expect(excerpt('😀😀😀', 3, true)).toBe('😀😀😀')
  expect(excerpt('ab😀', 2, true)).toBe('ab...')
})

test.each(['<a ', '<script ', '<!', '<!--', '</head ', '<script>', '<svg></svg ', '&#x', '<a-', ' '])(
  'a megabyte of %j is read quickly',
  (piece) => {
    const [, ms] = timed(() => excerpt(piece.repeat(1_000_000 / piece.length), 20, true))
    expectWithin(ms, 2000)
  },
)
