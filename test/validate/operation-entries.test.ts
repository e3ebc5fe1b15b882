/**
 * What the build has compiled is of the present description, and evaluates no text as code.
 */

import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { fingerprint as present } from '../../scripts/compile-validators.ts'
import { fingerprint } from '../../validate/generated/responses.js'
import { knownRequirement, knownRequirements, operationEntries } from '../../validate/operation-entries.ts'

it('the compiled code belongs to the present description', () => {
  expect(fingerprint, 'spec/openapi.yaml has changed since the last build: run npm run build').toBe(present())
})

it('holds code, and nothing that makes code', () => {
  for (const name of ['responses.js', 'requests.js', 'explanations.js']) {
    const text = readFileSync(new URL(`../../validate/generated/${name}`, import.meta.url), 'utf8')
    expect(text).not.toMatch(/\beval\(|new Function|\brequire\(|\bimport\b/)
  }
})

it('knows every operation, and the words of every requirement it can name', () => {
  expect(operationEntries().length).toBe(19)
  for (const id of knownRequirements()) expect(knownRequirement(id)?.statement).toMatch(/MUST|SHOULD|MAY/)
})
