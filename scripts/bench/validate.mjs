/**
 * Validations in a second of a list of 30 records: ours, the peers' and raw precompiled Ajv's, in one run.
 *
 * PEERS=/folder npx tsx scripts/bench/validate.mjs
 */

import { execFileSync } from 'node:child_process'
import { dist, list, median, path, requirePeer, rounds } from './peers.mjs'

const { createValidator } = await import(dist('validate/validate.js'))
const { formats } = await import('../../spec/formats.ts')
const { openApiDocument, operation, responseSchema } = await import('../../spec/openapi.ts')

const good = list()
const bad = list(30, { totalPages: '1' })
bad.items[12].created = 'yesterday'
const headers = { 'content-type': 'application/json' }

const { Ajv2020 } = requirePeer('ajv/dist/2020.js')
function raw(options) {
  const ajv = new Ajv2020({ strict: false, formats, ...options })
  const check = ajv.compile(responseSchema(operation('listRecords'), 200))
  return (body) => check(body)
}

/** The same description as far as the older peers understand it: OpenAPI 3.0 knows no conditions and no constants. */
function older() {
  const rewrite = (node) => {
    if (Array.isArray(node)) return node.map(rewrite)
    if (typeof node !== 'object' || node === null) return node
    const out = {}
    for (const [key, value] of Object.entries(node)) {
      if (/^x-|^(if|then|else|examples|summary|license|security)$/.test(key)) continue
      if (key === 'const') out.enum = [value]
      else if (key === 'type' && Array.isArray(value)) Object.assign(out, { type: value[0], nullable: true })
      else out[key] = rewrite(value)
    }
    return out
  }
  return { ...rewrite(structuredClone(openApiDocument())), openapi: '3.0.3' }
}

const matchers = {}
globalThis.expect = { extend: (given) => Object.assign(matchers, given) }
const jestOpenApi = requirePeer('jest-openapi')
;(jestOpenApi.default ?? jestOpenApi)(older())
const axiosLike = (data) => ({ status: 200, headers, data, config: {}, request: { method: 'GET', path } })
const satisfies = (response) =>
  matchers.toSatisfyApiSpec.call({ utils: {}, expand: false, isNot: false }, response).pass

const Response = requirePeer('openapi-response-validator').default
const document30 = older()
const { RecordPage } = document30.components.responses
const responseValidator = new Response({
  responses: { 200: RecordPage },
  components: document30.components,
  customFormats: formats,
})

const { OpenAPIBackend } = requirePeer('openapi-backend')
const backend = new OpenAPIBackend({
  definition: structuredClone(openApiDocument()),
  quick: true,
  ajvOpts: { strict: false, formats },
  customizeAjv: (ajv) => {
    for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
    return ajv
  },
})
await backend.init()

const schemaOnly = createValidator({ profile: 'standard', checks: 'schema' })
const all = createValidator({ profile: 'standard' })
const exchange = (body) => ({
  request: { method: 'GET', url: path },
  response: { status: 200, headers, body },
})
const [goodExchange, badExchange] = [exchange(good), exchange(bad)]
const texts = { good: exchange(JSON.stringify(good)), bad: exchange(JSON.stringify(bad)) }
const [rawFirst, rawAll] = [raw({}), raw({ allErrors: true })]

const judges = {
  'raw Ajv, first error': (body) => rawFirst(body),
  'raw Ajv, all errors': (body) => rawAll(body),
  'ours, schema alone': (body) => schemaOnly.validate(body === good ? goodExchange : badExchange).ok,
  'ours, all checks': (body) => all.validate(body === good ? goodExchange : badExchange).ok,
  'ours, all checks, from text': (body) => all.validate(body === good ? texts.good : texts.bad).ok,
  'JSON.parse alone': (body) =>
    JSON.parse(body === good ? texts.good.response.body : texts.bad.response.body) && body === good,
  'openapi-response-validator': (body) => responseValidator.validateResponse(200, body) === undefined,
  'openapi-backend': (body) => backend.validateResponse(body, 'listRecords', 200).valid,
  'jest-openapi': (body) => satisfies(axiosLike(body)),
}
for (const [name, judge] of Object.entries(judges))
  if (judge(good) !== true || judge(bad) !== false)
    throw new Error(`${name} judges wrongly: ${judge(good)}, ${judge(bad)}`)

const results = {}
for (const [kind, body] of [
  ['valid', good],
  ['invalid', bad],
]) {
  const cases = Object.fromEntries(Object.entries(judges).map(([name, judge]) => [name, () => judge(body)]))
  results[kind] = rounds(cases)
}
const base = results.valid['raw Ajv, first error'].median
console.log('list of 30 records: validations in a second, median of 5 (least to most)\n')
for (const name of Object.keys(judges)) {
  const [valid, invalid] = [results.valid[name], results.invalid[name]]
  const show = ({ median: middle, least, most }) =>
    `${Math.round(middle)} (${Math.round(least)} to ${Math.round(most)})`
  console.log(
    `${name.padEnd(30)} valid ${show(valid).padEnd(30)} ${(valid.median / base).toFixed(2)} x raw   invalid ${show(invalid)}`,
  )
}
const slowest = results.valid['jest-openapi'].median
console.log()
for (const name of ['ours, schema alone', 'ours, all checks'])
  console.log(`${name}: ${Math.round(results.valid[name].median / slowest)} x jest-openapi`)

function importTime(code) {
  const script = `const t=performance.now(),c=process.cpuUsage();${code};const u=process.cpuUsage(c);console.log(performance.now()-t,(u.user+u.system)/1000)`
  const samples = Array.from({ length: 5 }, () =>
    execFileSync(process.execPath, ['--input-type=module', '-e', script])
      .toString()
      .trim()
      .split(' ')
      .map(Number),
  )
  return `${median(samples.map(([wall]) => wall)).toFixed(1)} ms, ${median(samples.map(([, cpu]) => cpu)).toFixed(1)} ms of processor`
}
const peer = (name) =>
  `(await import('node:module')).createRequire(${JSON.stringify(requirePeer.resolve(name))})(${JSON.stringify(requirePeer.resolve(name))})`
console.log('\nimport, median of 5 processes')
console.log(`  an empty module              ${importTime("await import('data:text/javascript,export{}')")}`)
console.log(
  `  ours                         ${importTime(`await import(${JSON.stringify(dist('validate/validate.js').href)})`)}`,
)
console.log(
  `  jest-openapi                 ${importTime(`globalThis.expect={extend(){}};${peer('jest-openapi')}`)}`,
)
console.log(`  openapi-response-validator   ${importTime(peer('openapi-response-validator'))}`)
console.log(`  openapi-backend              ${importTime(peer('openapi-backend'))}`)
console.log(`  ajv/dist/2020                ${importTime(peer('ajv/dist/2020.js'))}`)
