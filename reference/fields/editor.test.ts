import { describe, expect, it } from 'vitest'
import { oneField } from '../../test/support/one-field.ts'

describe('editor', async () => {
  const tiny = await oneField({ name: 'f', type: 'editor', maxSize: 4 })

  it('keeps HTML unchanged', async () => {
    const plain = await oneField({ name: 'f', type: 'editor' })
    expect(plain.stored('<script>1</script>')).toBe('<script>1</script>')
    expect(plain.stored(5)).toBe('5')
    expect(plain.stored({ a: 1 })).toBe('')
  })

  it.each([
    ['abcd', undefined],
    ['éé', undefined],
    ['ééé', 'validation_content_size_limit'],
  ])('counts bytes: %j gives %s', (text, code) => {
    expect(tiny.error(text)?.code).toBe(code)
  })

  it('reports the limit', () => {
    expect(tiny.error('abcde')).toMatchObject({
      message: 'The maximum allowed content size is 4 bytes.',
      params: { maxSize: 4 },
    })
  })

  it('must not be blank when required', async () => {
    const mandatory = await oneField({ name: 'f', type: 'editor', required: true })
    expect(mandatory.error('')?.code).toBe('validation_required')
  })
})
