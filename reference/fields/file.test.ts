import { describe, expect, it } from 'vitest'
import { oneField, stillEnvironment } from '../../test/support/one-field.ts'
import { makeUpload } from './upload.ts'

const png = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]
const text = [...Buffer.from('hello')]
const environment = { ...stillEnvironment, random: countingRandom() }

describe('file', async () => {
  const single = await oneField({ name: 'f', type: 'file', maxSize: 10, mimeTypes: ['image/png'] })
  const multiple = await oneField({ name: 'f', type: 'file', maxSelect: 2 })

  it('stores the names of uploads', () => {
    const [one, two] = [upload('one.png', png), upload('two.png', png)]
    expect(multiple.stored([one, two])).toEqual([one.storedName, two.storedName])
    expect(single.stored([one, two])).toBe(two.storedName)
    expect(single.stored(null)).toBe('')
  })

  it('takes an upload, not what looks like one', () => {
    const one = upload('one.png', png)
    expect(single.error(one, { uploads: [one] })).toBeUndefined()
    expect(single.stored({ kind: 'upload', storedName: 'x', bytes: [] })).toBe('')
  })

  it('knows names that are on the record, and no others', () => {
    expect(multiple.error(['a.txt'], { stored: ['a.txt'] })).toBeUndefined()
    expect(multiple.error(['a.txt', 'b.txt', 'c.txt'], { stored: ['a.txt'] })).toEqual({
      code: 'validation_invalid_file',
      message: 'Invalid new files: [b.txt c.txt].',
      params: { invalidFiles: ['b.txt', 'c.txt'] },
    })
  })

  it('counts files', () => {
    const uploads = [upload('a.txt', text), upload('b.txt', text), upload('c.txt', text)]
    expect(multiple.error(uploads, { uploads })).toEqual({
      code: 'validation_too_many_files',
      message: 'The maximum allowed files is 2.',
      params: { maxSelect: 2 },
    })
  })

  it('weighs files', () => {
    const heavy = upload('heavy.png', [...png, 0, 0, 0])
    expect(single.error(heavy, { uploads: [heavy] })).toEqual({
      code: 'validation_file_size_limit',
      message: 'Failed to upload heavy.png - the maximum allowed file size is 10 bytes.',
      params: { file: 'heavy.png', maxSize: 10 },
    })
  })

  it('looks into files', () => {
    const wrong = upload('not-a.png', text)
    expect(single.error(wrong, { uploads: [wrong] })).toEqual({
      code: 'validation_invalid_mime_type',
      message: `"${wrong.storedName}" mime type must be one of: image/png.`,
    })
  })

  it('must not be empty when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'file', required: true })
    expect(mandatory.error('')?.code).toBe('validation_required')
  })

  it.each([
    ['append', ['a', 'b', 'new']],
    ['prepend', ['new', 'a', 'b']],
  ] as const)('%s', (modifier, names) => {
    expect(multiple.field.modifiers[modifier]?.(['a', 'b'], 'new', environment)).toEqual(names)
  })

  it('removes by name', () => {
    expect(multiple.field.modifiers.remove?.(['a', 'b'], ['a', 'x'], environment)).toEqual(['b'])
  })
})

function upload(name: string, bytes: number[]) {
  return makeUpload(name, new Uint8Array(bytes), environment)
}

/** Never the same text twice, so that two uploads have two names. */
function countingRandom() {
  let count = 0
  return (_alphabet: string, length: number) => String(count++).padStart(length, 'r')
}
