import { expect, it } from 'vitest'
import { conformanceTests } from '../../integrations/conformance-tests.ts'
import { conformanceSuite } from '../conformance-suite.ts'
import { runConformance } from '../run.ts'

it.each<[object, RegExp]>([
  [{ baseURL: 'http://127.0.0.1:1' }, /no option "baseURL"[\s\S]*did you mean "baseUrl"\?/],
  [{ taget: 'a.yaml' }, /no option "taget"[\s\S]*did you mean "target"\?/],
  [{ report: 'x=y' }, /no option "report"[\s\S]*use baseUrl, target, /],
  [{ level: 'must' }, /no level "must"[\s\S]*use MUST, SHOULD, MAY/],
  [{ only: 'view.record' }, /"only" is not a list[\s\S]*only: \["view.record"\]/],
  [
    { target: { baseUrl: 'http://127.0.0.1:1', tables: {} } },
    /the target has no "binding"[\s\S]*name of a target file/,
  ],
  [{ target: null }, /the target has no "baseUrl"/],
])('%j is rejected before anything is tested', async (options, message) => {
  await expect(runConformance(options)).rejects.toThrow(message)
  await expect(conformanceSuite(options)).rejects.toThrow(message)
})

it.each<[object, RegExp]>([
  [{ bail: true }, /"bail" has no effect here[\s\S]*npx conformance --bail/],
  [{ path: '0:1' }, /"path" has no effect here[\s\S]*npx conformance --path <path>/],
  [{ maxTime: 5 }, /"maxTime" has no effect here[\s\S]*npx conformance --max-time <seconds>/],
  [{ signal: AbortSignal.abort() }, /"signal" has no effect here[\s\S]*use runConformance$/],
  [{ onEvent: () => {} }, /"onEvent" has no effect here[\s\S]*use runConformance$/],
])('%j is rejected by the functions for test runners', async (options, message) => {
  await expect(conformanceSuite(options)).rejects.toThrow(message)
  await expect(conformanceTests(options)).rejects.toThrow(message)
})

it('an undefined option counts as left out', async () => {
  const options = { bail: undefined, only: ['list.page'] }
  await expect(conformanceSuite(options)).resolves.toMatchObject({ checks: [{ id: 'list.page' }] })
})
