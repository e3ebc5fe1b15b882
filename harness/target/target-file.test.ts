import { describe, expect, it } from 'vitest'
import { isLoopback } from './target.ts'
import { targetOf } from './target-file.ts'

const read = (content: unknown, environment = {}) => targetOf(content, 'target.json', environment)

describe('a target file', () => {
  it('becomes a target', () => {
    const target = read(
      {
        baseUrl: 'http://127.0.0.1:1/',
        prefix: '/api',
        tables: { plain: { name: 'notes' } },
        credentials: { superuser: { tokenEnv: 'T' } },
      },
      { T: 'abc' },
    )
    expect(target.baseUrl).toBe('http://127.0.0.1:1')
    expect(target.binding.prefix).toBe('/api')
    expect(target.tables.plain).toEqual({ role: 'plain', name: 'notes' })
    expect(target.credentials.superuser).toEqual({ token: 'abc' })
  })

  it.each<[string, unknown, RegExp]>([
    [
      'an unknown key',
      { baseUrl: 'http://h', tabels: {} },
      /unknown key "tabels"[\s\S]*target\.json[\s\S]*did you mean "tables"\?/,
    ],
    [
      'an unknown key deep inside',
      { baseUrl: 'http://h', tables: { plain: { nam: 'x' } } },
      /"tables\.plain\.nam"[\s\S]*"name"/,
    ],
    [
      'an unknown binding',
      { baseUrl: 'http://h', binding: { prefx: '/x' } },
      /"binding\.prefx"[\s\S]*"prefix"/,
    ],
    ['a missing address', {}, /baseUrl/],
    [
      'a missing variable',
      { baseUrl: 'http://h', credentials: { a: { tokenEnv: 'NOPE' } } },
      /NOPE is not set/,
    ],
  ])('is refused for %s', (_name, content, message) => {
    expect(() => read(content)).toThrow(message)
  })
})

it('knows this very machine', () => {
  expect(['localhost', '127.0.0.1', '127.8.9.1', '[::1]', 'a.localhost'].every(isLoopback)).toBe(true)
  expect(['example.com', '127.example.com', '10.0.0.1', '0.0.0.0'].some(isLoopback)).toBe(false)
})
