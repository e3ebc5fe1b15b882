import { expect, it } from 'vitest'
import { conformanceSuite } from './conformance-suite.ts'
import { runConformance } from './run.ts'

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
