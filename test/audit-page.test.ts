/** What the page about the audit names is there: files, requirements, faults and variations. */

import { existsSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { loadFaults } from '../proofs/faults/matrix/registry.ts'
import { loadVariations } from '../proofs/variations/matrix/registry.ts'
import { standardBinding } from '../spec/gaps.ts'
import { loadRequirements } from '../spec/requirements.ts'

const page = readFileSync(new URL('../docs/results/audit.md', import.meta.url), 'utf8')
const requirements = loadRequirements()

/** Requirements with the id, or with one that an asterisk in it matches. */
function named(word: string) {
  const pattern = new RegExp(`^${word.replaceAll('.', '\\.').replaceAll('*', '.+')}$`)
  return [...requirements.values()].filter(({ id }) => pattern.test(id))
}

const code = [...page.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text)

it('names files that exist', () => {
  const files = [...page.matchAll(/[\w./-]+\.(?:ts|md|yaml)\b/g)].map(([file]) => file)
  expect(files.length).toBeGreaterThan(30)
  const missing = files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))
  expect(missing).toEqual([])
})

it('names requirements and bindings that exist', () => {
  const ids = code.filter((text) => /^[a-z*][\w-]*\.[\w*-]+$/.test(text) && !text.includes('/'))
  expect(ids.length).toBeGreaterThan(90)
  const bindings = standardBinding()
  expect(ids.filter((id) => named(id).length === 0 && !(id in bindings))).toEqual([])
})

it('names faults and variations that exist', async () => {
  const known = new Set([...(await loadFaults()), ...(await loadVariations())].map(({ name }) => name))
  const named = [...page.matchAll(/\b[FV] ("[^"]+"(?:, (?:and )?"[^"]+")*)/g)].flatMap(([, list = '']) =>
    [...list.matchAll(/"([^"]+)"/g)].map(([, name = '']) => name),
  )
  expect(named.length).toBeGreaterThan(40)
  expect(named.filter((name) => !name.includes('...') && !known.has(name))).toEqual([])
})

it('names as quirks of the family requirements of that grade, and all of them', () => {
  const [, section = ''] = page.split('### 3.3')
  const rows = section.split('\n').filter((line) => line.startsWith('| ') && line.includes('`'))
  const quirks = rows
    .flatMap((line) => [...(line.split('|')[2] ?? '').matchAll(/`([^`]+)`/g)])
    .flatMap(([, id = '']) => named(id))
  const family = [...requirements.values()].filter(({ grade }) => grade === 'family')
  expect([...new Set(quirks.map(({ id }) => id))].sort()).toEqual(family.map(({ id }) => id).sort())
})
