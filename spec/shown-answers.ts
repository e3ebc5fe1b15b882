import type { OperationId } from './vocabulary.ts'

/**
 * The operations whose answer the document shows (2.4, 2.1, 2.5): a success of theirs has a body. What the others answer
 * is left open (sections 4.1, 4.2), the body itself included.
 */
export const shownAnswers: readonly OperationId[] = ['listRecords', 'viewRecord', 'authWithPassword']
