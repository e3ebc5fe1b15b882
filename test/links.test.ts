/** The relative links of all pages in the repository. test/packed.test.ts follows those of the package. */

import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { anchorsOf } from '../scripts/support/anchors-of.ts'
import { brokenLinks, relativeLinks } from './support/broken-links.ts'

const root = fileURLToPath(new URL('..', import.meta.url))

test('every relative link leads to a file, and to a heading in it', () => {
  const pages = execFileSync('git', ['ls-files', '*.md'], { cwd: root, encoding: 'utf8' }).trim().split('\n')
  expect(pages).toEqual(expect.arrayContaining(['README.md', 'docs/api/record-auth-conformance.md']))
  expect(brokenLinks(root, pages)).toEqual([])
})

test('headings have the anchors of GitHub', () => {
  const page = [
    '# A `code()` & more',
    '## Same ##',
    '## Same',
    '```sh',
    '# not a heading',
    '```',
    '### [Linked](x.md) under_score, 2.3',
    '### make\\<Name\\>()',
  ]
  expect([...anchorsOf(page.join('\n'))]).toEqual([
    'a-code--more',
    'same',
    'same-1',
    'linked-under_score-23',
    'makename',
  ])
})

test('links are found where Markdown has them', () => {
  const page = [
    '[a](a.md) ![b](<b.png>) [`code()`](c.md#d "title") `[not](one.md)` [e](https://example.com)',
    '[f]: f.md',
    '<img src="g.png">',
    '```',
    '[not](one.md)',
    '```',
  ]
  expect(relativeLinks(page.join('\n'))).toEqual(['a.md', 'b.png', 'c.md#d', 'f.md', 'g.png'])
})
