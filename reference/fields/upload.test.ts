import { describe, expect, it } from 'vitest'
import { timed } from '../../scripts/support/timed.ts'
import { expectWithin } from '../../test/support/expect-within.ts'
import { stillEnvironment } from '../../test/support/one-field.ts'
import { makeUpload } from './upload.ts'

const tail = 'a'.repeat(10)

describe('makeUpload', () => {
  it.each([
    ['My File Name.PNG', `my_file_name_${tail}.PNG`],
    ['a.txt', `a${tail}_${tail}.txt`],
    ['noext', `noext_${tail}.txt`],
    ['.hidden', `${tail}_${tail}.hidden`],
    ['archive.tar.gz', `archive_${tail}.tar.gz`],
    ['weird na-me!.t x!t', `weird_na_me_${tail}.txt`],
    ['ÜberDatei.txt', `ber_datei_${tail}.txt`],
    ['HTTPServer.js', `httpserver_${tail}.js`],
    ['../../etc/passwd.txt', `passwd_${tail}.txt`],
    [`${'x'.repeat(150)}.txt`, `${'x'.repeat(100)}_${tail}.txt`],
  ])('%j is stored as %j', (original, stored) => {
    const upload = makeUpload(original, new Uint8Array(Buffer.from('hello')), stillEnvironment)
    expect(upload).toMatchObject({ originalName: original, storedName: stored, type: 'text/plain' })
  })

  it.each([
    ['\x89PNG\r\n\x1a\n', 'image/png', '.png'],
    ['\xff\xd8\xff\xe0', 'image/jpeg', '.jpg'],
    ['GIF89a', 'image/gif', '.gif'],
    ['RIFF\0\0\0\0WEBPVP8 ', 'image/webp', '.webp'],
    ['%PDF-1.4', 'application/pdf', '.pdf'],
    ['PK\x03\x04', 'application/zip', '.zip'],
    ['<svg xmlns="http://www.w3.org/2000/svg"/>', 'image/svg+xml', '.svg'],
    ['<?xml version="1.0"?><svg></svg>', 'image/svg+xml', '.svg'],
    ['<?xml version="1.0"?><a/>', 'text/xml', '.xml'],
    ['<!DOCTYPE html><p>', 'text/html', '.html'],
    ['<!-- a --> <!----><p>', 'text/html', '.html'],
    ['<!-- a', 'text/plain', '.txt'],
    ['{"a":1}', 'application/json', '.json'],
    [`[${'1,'.repeat(4000)}1]`, 'application/json', '.json'],
    ['{"a":', 'text/plain', '.txt'],
    ['', 'text/plain', '.txt'],
    ['\x00\x01\x02', 'application/octet-stream', ''],
  ])('%j is %s', (content, type, extension) => {
    const upload = makeUpload('noext', new Uint8Array(Buffer.from(content, 'latin1')), stillEnvironment)
    expect(upload).toMatchObject({ type, storedName: `noext_${tail}${extension}` })
  })
  it.each(['<!---->', '<!---->\n', '<!--', '<!---->x', ' '])(
    'looks at %j once, however often it appears',
    (one) => {
      const [, ms] = timed(() => {
        makeUpload('noext', new Uint8Array(Buffer.from(`${one.repeat(30)}x`)), stillEnvironment)
        makeUpload('noext', new Uint8Array(Buffer.from(`${one.repeat(200_000)}x`)), stillEnvironment)
      })
      expectWithin(ms, 5_000)
    },
  )
})
