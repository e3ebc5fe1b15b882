/** The fields that every record has (document, section 2.1). */
export const commonFields = ['id', 'collectionId', 'collectionName', 'created', 'updated'] as const
