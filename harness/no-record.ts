/** What no target has: asked for where something must be missing. */

/** Written like an id, so that it is refused for nothing else. */
export const NO_RECORD = 'nosuchrecord123'
export const NO_TABLE = 'conf_no_such_table'
