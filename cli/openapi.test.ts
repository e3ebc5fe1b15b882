/** `conformance openapi`: where tables come from, what is written, and messages about wrong input. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { ConfigurationError } from '../harness/errors.ts'
import { shopTables } from '../test/openapi/shop.ts'
import { serveShop } from '../test/openapi/shop-world.ts'
import { openApiCommand } from './openapi.ts'
import type { OpenApiFlags } from './openapi-options.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-openapi-'))
const shop = 'test/openapi/shop.json'

/** A server that shows its tables to a superuser, page by page. */
let server: Server
let url = ''
beforeAll(async () => {
  server = createServer(({ url: path = '', headers }, response) => {
    const { pathname, searchParams } = new URL(path, 'http://localhost')
    const isShown = pathname === '/api/collections' && headers.authorization === 'a-superuser-token'
    const items = searchParams.get('page') === '1' ? shopTables() : []
    response.writeHead(isShown ? 200 : 404, { 'content-type': 'application/json' })
    response.end(JSON.stringify(isShown ? { items } : { status: 404, message: 'Not found.', data: {} }))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', 'a-superuser-token')
})
afterAll(() => {
  vi.unstubAllEnvs()
  server.close()
  rmSync(folder, { recursive: true, force: true })
})

/** The description that the command writes, as its file has it. */
async function written(flags: OpenApiFlags, name = 'out.yaml') {
  const output = join(folder, name)
  expect(await openApiCommand({ ...flags, output })).toBe(0)
  return parse(readFileSync(output, 'utf8'))
}

async function mistake(flags: OpenApiFlags): Promise<string> {
  const error = await openApiCommand({ output: join(folder, 'none.yaml'), ...flags }).catch(
    (each: unknown) => each,
  )
  expect(error).toBeInstanceOf(ConfigurationError)
  return String((error as Error).message)
}

function file(name: string, text: string): string {
  const path = join(folder, name)
  writeFileSync(path, text)
  return path
}

describe('tables come from', () => {
  it('an export, with or without a byte order mark', async () => {
    const marked = file('marked.json', `\ufeff${readFileSync(shop, 'utf8')}`)
    const description = await written({ tables: shop })
    expect(description.components.schemas).toHaveProperty('ProductsRecord')
    expect(await written({ tables: marked })).toEqual(description)
  })

  it('a server, as its superuser sees them', async () => {
    const ofServer = await written({ baseUrl: url, prefix: '/api' })
    expect(ofServer).toEqual(await written({ tables: shop, prefix: '/api' }))
    expect(Object.keys(ofServer.paths)).toContain('/api/collections/{table}/records')
  })

  it('the suite, if no others are named', async () => {
    expect((await written({})).components.schemas).toHaveProperty('ConfPlainRecord')
  })
})

describe('the options', () => {
  it('--paths per-table gives each table its paths', async () => {
    const { paths } = await written({ tables: shop, paths: 'per-table' })
    expect(Object.keys(paths)).toContain('/api/v1/collections/products/records/{id}')
    expect(Object.keys(paths).join()).not.toContain('{table}')
  })

  it('--openapi 3.0 is for older tools, and a .json file is JSON', async () => {
    const { openapi, info } = await written({ tables: shop, openapi: '3.0' }, 'out.json')
    expect([openapi, info.summary]).toEqual(['3.0.3', undefined])
    expect(readFileSync(join(folder, 'out.json'), 'utf8')).toMatch(/^\{/)
  })

  it('--profile none is --document-only', async () => {
    const documentOnly = await written({ tables: shop, documentOnly: true })
    expect(await written({ tables: shop, profile: 'none' })).toEqual(documentOnly)
    expect(documentOnly).not.toEqual(await written({ tables: shop }))
  })

  it('--profile recommended describes what standard does: it grades requirements', async () => {
    expect(await written({ tables: shop, profile: 'recommended' })).toEqual(await written({ tables: shop }))
  })

  it('--system also describes system tables, and --title and --server are written down', async () => {
    const flags = { tables: shop, system: true, title: 'Shop', server: 'https://shop.example.com' }
    const { info, servers, components } = await written(flags)
    expect([info.title, servers]).toEqual(['Shop', [{ url: 'https://shop.example.com' }]])
    expect(components.schemas).toHaveProperty('SuperusersRecord')
  })
})

describe('wrong input is named, with the next step', () => {
  it.each<[string, () => OpenApiFlags, RegExp]>([
    ['two sources', () => ({ tables: shop, baseUrl: url }), /two sources/],
    ['a file that is not there', () => ({ tables: join(folder, 'nowhere.json') }), /ENOENT/],
    ['a file of something else', () => ({ tables: file('text.json', '"posts"') }), /cannot be read/],
    ['a file with a mistake', () => ({ tables: file('half.json', '{"a":') }), /half\.json:1:6/],
    [
      'a field type that does not exist',
      () => ({
        tables: file('type.json', '[{"name":"a","type":"base","fields":[{"name":"b","type":"txt"}]}]'),
      }),
      /txt[\s\S]*text/,
    ],
    [
      'a file that cannot be written',
      () => ({ tables: shop, output: join(folder, 'no/such/a.yaml') }),
      /--output/,
    ],
    ['a profile that is excluded', () => ({ documentOnly: true, profile: 'standard' }), /excluded/],
    ['a server that does not show its tables', () => ({ baseUrl: url }), /404[\s\S]*--prefix/],
  ])('%s', async (_name, flags, message) => {
    expect(await mistake(flags())).toMatch(message)
  })

  it('our own server, which has no list of its tables', async () => {
    const serving = await serveShop()
    try {
      expect(await mistake({ baseUrl: serving.url })).toMatch(/serve --docs[\s\S]*_docs\/openapi\.json/)
    } finally {
      await serving.close()
    }
  })

  it('a server without the credentials of a superuser', async () => {
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', '')
    expect(await mistake({ baseUrl: url })).toMatch(/CONFORMANCE_SUPERUSER_TOKEN/)
    vi.stubEnv('CONFORMANCE_SUPERUSER_TOKEN', 'a-superuser-token')
  })
})
