import { expect, it } from 'vitest'
import { unwritable } from './errors.ts'

it.each([
  ['ENOSPC', 'make room on that disk, or use a file on another one'],
  ['ENOENT', 'use a file in an existing, writable folder'],
])('names the next step after %s', (code, next) => {
  expect(unwritable('the report', '--report html=a', Object.assign(new Error(), { code })).next).toBe(next)
})
