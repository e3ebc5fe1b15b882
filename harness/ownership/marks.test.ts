import { describe, expect, it } from 'vitest'
import { holdsMark, marksIn, marksInBody } from './marks.ts'
import { scopeOf, uniqueNames } from './scopes.ts'

const scopes = new Set([scopeOf('run', 'a.check')])
const unique = uniqueNames('run', 'a.check')
const text = unique('title')
const mark = text.slice('title-'.length)

describe('the marks in a value', () => {
  it.each<[string, unknown, string[]]>([
    ['a string', text, [mark]],
    ['an address', { email: `${text}@example.com` }, [mark]],
    ['a user name', { username: text.replace('-', '_') }, [mark]],
    ['other letters of case', { title: text.toUpperCase() }, [mark]],
    ['within lists and objects', { json: [{ deep: text }] }, [mark]],
    ['not everyday words', { title: 'well-known-things' }, []],
    ['not the marks of another run', uniqueNames('other', 'a.check')('title'), []],
    ['not secrets', { password: text, tokenKey: text }, []],
  ])('%s', (_, value, expected) => {
    expect(marksIn(value, scopes)).toEqual(expected)
  })

  it('are found however deep a response nests, without following it for ever', () => {
    let value: unknown = text
    for (let level = 0; level < 200_000; level += 1) value = [value]
    expect(marksIn(value, scopes)).toEqual([])
  })

  it('are found in a form as in JSON', () => {
    expect(marksInBody(Buffer.from(`--edge\r\nname="title"\r\n\r\n${text}\r\n`), scopes)).toEqual([mark])
    expect(marksInBody(JSON.stringify({ password: text }), scopes)).toEqual([])
    expect(marksInBody(undefined, scopes)).toEqual([])
  })
})

it('a record holds a mark whatever its letters of case, and none without one', () => {
  expect(holdsMark({ title: ` ${text.toUpperCase()} ` }, [mark])).toBe(true)
  expect(holdsMark({ title: text }, [])).toBe(false)
  expect(holdsMark({ title: 'other' }, [mark])).toBe(false)
})
