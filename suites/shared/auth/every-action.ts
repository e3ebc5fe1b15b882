import type { KeyAction } from '../../../spec/vocabulary.ts'

/** What a project API key can be made for. */
export const everyAction: readonly KeyAction[] = ['list', 'view', 'create', 'update', 'delete']
