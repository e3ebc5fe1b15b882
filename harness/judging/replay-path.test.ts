import { expect, it } from 'vitest'
import { fc } from '../../test/support/seeded.ts'
import { formatPath, parsePath } from './replay-path.ts'

it('reads the path of a replay as it was written', () => {
  const path = fc.array(fc.nat({ max: 999 }), { minLength: 1 }).map((parts) => parts.join(':'))
  const commands = fc.option(fc.stringMatching(/^[A-Za-z0-9+/:]+$/), { nil: undefined })
  fc.assert(
    fc.property(fc.nat({ max: 9 }), path, commands, (property, text, replay) => {
      const written = { property, path: text, commands: replay }
      expect(parsePath(formatPath(written))).toEqual(written)
    }),
  )
})
