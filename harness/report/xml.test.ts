import { expect, it } from 'vitest'
import { xmlText } from './xml.ts'

it('contains nothing that XML forbids', () => {
  expect(xmlText('<a b="c">&\t\n]]>\0\u0007\ud800\ufffe\u{1f600}')).toBe(
    '&lt;a b=&quot;c&quot;&gt;&amp;\t\n]]&gt;\ufffd\ufffd\ufffd\ufffd\u{1f600}',
  )
})
