import type { OperationId } from './vocabulary.ts'

/**
 * The operations whose response the document shows (2.4, 2.1, 2.5): their success has a body. The responses of the
 * others are unspecified (sections 4.1, 4.2), including whether they have a body.
 */
export const shownResponses: readonly OperationId[] = ['listRecords', 'viewRecord', 'authWithPassword']
