/** Requests that follow on responses, as the links of the description say (document 1, 4.1). */

import { check } from '../../../harness/check.ts'
import { linkProperty } from '../../shared/derived/link-property.ts'
import { recordStarts } from '../../shared/derived/starts.ts'

check('derived.record-links', (context) => linkProperty(context, recordStarts))
