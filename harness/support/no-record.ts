/** Ids that no target has, for requests about missing records. */

/** Has the form of an id, so that it is rejected only because it does not exist. */
export const NO_RECORD = 'nosuchrecord123'
export const NO_TABLE = 'conf_no_such_table'
