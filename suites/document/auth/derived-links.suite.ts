/** Requests that follow on responses, as the links of the description say (document 1, 4.2). */

import { check } from '../../../harness/check.ts'
import { linkProperty } from '../../shared/derived/link-property.ts'
import { accountStarts } from '../../shared/derived/starts.ts'

check('derived.account-links', (context) => linkProperty(context, accountStarts))
