import { expect, it } from 'vitest'
import { namesWritten } from './names-written.ts'

const records = '/api/v1/collections/notes/records'
const one = `${records}/a%2Fb`
const base = 'http://127.0.0.1:8090'
const names = (method: string, path: string, status: number, location?: string) =>
  namesWritten({ method, path }, { status, headers: location === undefined ? {} : { location } }, base)

it.each([
  ['POST', records, one],
  ['POST', `${records}?expand=x`, `${base}${one}`],
  ['POST', records, 'records/7'],
  ['POST', '/api/v1/collections/tbl_1/records', one],
  ['PATCH', one, one],
])('a 303 says what a %s of %s wrote: %s', (method, path, location) => {
  expect(names(method, path, 303, location)).toBe(true)
  expect(names(method, path, 302, location)).toBe(false)
})

it.each([
  ['POST', records, undefined],
  ['POST', records, records],
  ['POST', records, `${records}/`],
  ['POST', records, '/login'],
  ['POST', records, `http://other.example${one}`],
  ['POST', '/api/v1/batch', '/api/v1/batch/7'],
  ['POST', records, 'http://['],
  ['PATCH', one, records],
  ['DELETE', one, records],
  ['GET', records, one],
])('a 303 does not if a %s of %s leads to %s', (method, path, location) => {
  expect(names(method, path, 303, location)).toBe(false)
})
