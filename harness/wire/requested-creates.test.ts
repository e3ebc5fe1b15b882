import { describe, expect, it } from 'vitest'
import { sentObject } from './requested-creates.ts'

describe('the object that a request sends', () => {
  it('is that of a JSON object', () => expect(sentObject('{"title":"a"}')).toEqual({ title: 'a' }))

  it.each(['[{"title":"a"}]', '"title"', '1', 'null', '{"title"', '', undefined])('is empty for %s', (body) =>
    expect(sentObject(body)).toEqual({}),
  )
})
