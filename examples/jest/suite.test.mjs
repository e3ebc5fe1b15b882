/* global afterAll, test */
import { conformanceSuite } from 'record-auth-conformance'

const suite = await conformanceSuite({ only: ['list.page', 'list.total-pages'] })
test.each(suite.checks.map((check) => [check.id, check]))(
  '%s',
  async (id, { run }) => {
    const { status, message } = await run()
    if (status !== 'pass') console.warn(`${id}: ${status}: ${message}`)
  },
  600_000,
)
afterAll(async () => console.log((await suite.close()).verdict.lines.join('\n')))
