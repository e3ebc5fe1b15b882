/** Operations that a server does not have, and that its tester declares absent: no other requirement may need them. */

import { operations } from '../../spec/openapi.ts'
import { json, on } from '../faults/combinators/combinators.ts'
import { variation, variationsOf } from './variation.ts'

variationsOf('absent')

for (const { id: operation } of operations())
  variation(
    `there is no ${operation}, and the target file says so`,
    {
      because: '7',
      near: ['auth.password-sign-in'],
      target: (target) => ({ ...target, operations: { ...target.operations, [operation]: false } }),
    },
    on(operation, async () => json(404, { error: 'not found' })),
  )
