import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Finding } from '../harness/vocabulary/finding.ts'
import { lastFailed, rememberFailed, selectedOf } from './last-failed.ts'

const finding = (requirement: string, status: Finding['status']) => ({ requirement, status })
const url = 'http://127.0.0.1:8090'

let folder = ''
beforeEach(() => {
  const made = mkdtempSync(join(tmpdir(), 'last-failed-'))
  onTestFinished(() => rmSync(made, { recursive: true }))
  folder = join(made, 'state')
})

it('nothing is known before the first run', () => {
  expect(lastFailed(url, folder)).toBeUndefined()
})

it('stores failures and warnings of the last run, by target', () => {
  rememberFailed(
    url,
    [finding('b.two', 'fail'), finding('a.one', 'warn'), finding('c', 'pass'), finding('d', 'blocked')],
    folder,
  )
  expect(lastFailed(url, folder)).toEqual(['a.one', 'b.two'])
  expect(lastFailed('http://127.0.0.1:8091', folder)).toBeUndefined()
})

it('keeps what a later run did not judge, and drops what it passed', () => {
  rememberFailed(url, [finding('a', 'fail'), finding('b', 'fail'), finding('c', 'fail')], folder)
  rememberFailed(url, [finding('a', 'pass'), finding('b', 'blocked')], folder)
  expect(lastFailed(url, folder)).toEqual(['b', 'c'])
})

it('stores the check that revealed a failure of another one', () => {
  rememberFailed(url, [{ ...finding('b', 'fail'), seenIn: 'c' }, finding('c', 'pass')], folder)
  expect(lastFailed(url, folder)).toEqual(['b', 'c'])
})

it('treats a damaged file as missing', () => {
  rememberFailed(url, [finding('a', 'fail')], folder)
  const [name = ''] = readdirSync(folder)
  writeFileSync(join(folder, name), '{"failed":')
  expect(lastFailed(url, folder)).toBeUndefined()
})

it('does nothing if it cannot write', () => {
  writeFileSync(join(folder, '..', 'file'), '')
  expect(() => rememberFailed(url, [finding('a', 'fail')], join(folder, '..', 'file'))).not.toThrow()
})

it('selects of them what --only selects too, and drops unknown ids', () => {
  const failed = ['list.page', 'record.id', 'no.such-id']
  expect(selectedOf(failed)).toEqual(['list.page', 'record.id'])
  expect(selectedOf(failed, ['list', 'batch'])).toEqual(['list.page'])
  expect(selectedOf(failed, ['batch'])).toEqual([])
})
