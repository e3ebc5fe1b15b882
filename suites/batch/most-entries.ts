/**
 * Sub-requests in one batch of a check of the document, one that fails included. How many a batch may hold is left open
 * (8), so a server with a low limit must not fail here; with fewer than this no parent comes with its children.
 */
export const MOST_ENTRIES = 5
