/**
 * Parts of definitions of tables that guests may use.
 *
 * @module
 */

/** Guests may do everything. */
export const openRules = { listRule: '', viewRule: '', createRule: '', updateRule: '', deleteRule: '' }

/** The timestamps that a record has (document, section 2.1). */
export const stamps = [
  { name: 'created', type: 'autodate', onCreate: true, onUpdate: false },
  { name: 'updated', type: 'autodate', onCreate: true, onUpdate: true },
] as const
