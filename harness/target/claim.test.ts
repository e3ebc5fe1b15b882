import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import { prepareTarget } from './prepare-target.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-claim-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function file(name: string, content: object): string {
  const path = join(folder, name)
  writeFileSync(path, stringify(content))
  return path
}

const baseUrl = 'http://127.0.0.1:9'
const environment = { CONFORMANCE_STATE_DIR: folder }
const sound = {
  profile: 'mine',
  extends: 'standard',
  follows: ['list.shape'],
  binding: { 'list.perPage': 'limit' },
}

async function claimed(target: object, profile?: string) {
  const prepared = await prepareTarget({ target: file('target.yaml', { baseUrl, ...target }), profile }, 7, {
    environment,
  })
  await prepared.close()
  return prepared.target
}

describe('the profile of a target file', { timeout: 120_000 }, () => {
  it('is rejected for a slip, as the option is', async () => {
    await expect(claimed({ profile: 'standart' })).rejects.toThrow(
      /unknown profile "standart"\n {2}at {4}\S*target\.yaml, profile\n {2}next {2}did you mean standard\?/,
    )
    await expect(claimed({}, 'standart')).rejects.toThrow(
      /--profile standart\n {2}next {2}did you mean standard\?/,
    )
  })

  it('is one, none, or a file, and the option wins', async () => {
    const mine = file('mine.yaml', sound)
    expect((await claimed({ profile: 'standard' })).profile).toBe('standard')
    const { profile, follows = [] } = await claimed({ profile: 'recommended' })
    expect(profile).toBe('recommended')
    expect(follows).toContain('token.password-ends')
    expect(follows).not.toContain('filter.strftime')
    expect(await claimed({ profile: 'none' })).not.toHaveProperty('profile')
    expect(await claimed({ profile: mine })).toMatchObject({ profile: 'mine', follows: ['list.shape'] })
    expect(await claimed({ profile: mine }, 'standard')).not.toHaveProperty('follows')
    const { binding } = await claimed({ profile: 'standard' }, mine)
    expect(binding).toMatchObject({ 'list.perPage': 'limit', 'list.page': 'page' })
  })

  it('is rejected for a slip in what the setup returns', async () => {
    const setup = join(folder, 'setup.mjs')
    writeFileSync(setup, "export const setup = () => ({ profile: 'standart' })")
    await expect(claimed({ setup })).rejects.toThrow(/"standart"\n {2}at {4}\S*target\.yaml, setup, profile/)
  })
})

describe('a profile of one’s own', { timeout: 120_000 }, () => {
  it.each<[string, object, RegExp]>([
    [
      'an unknown requirement',
      { follows: ['list.shap'] },
      /unknown requirement "list\.shap"[\s\S]*slip\.yaml, follows[\s\S]*"list\.shape"/,
    ],
    [
      'an unknown binding',
      { binding: { 'list.perPag': 'x' } },
      /"binding\.list\.perPag"[\s\S]*slip\.yaml[\s\S]*"list\.perPage"/,
    ],
    [
      'a binding that is no text',
      { binding: { 'list.perPage': 5 } },
      /binding\.list\.perPage: must be string/,
    ],
    ['a binding that is a list', { binding: ['limit'] }, /"binding" is not an object/],
    ['an unknown key', { bindng: {} }, /unknown key "bindng"[\s\S]*"binding"/],
  ])('is rejected for %s', async (_name, slip, message) => {
    await expect(claimed({}, file('slip.yaml', { ...sound, ...slip }))).rejects.toThrow(message)
  })
})
