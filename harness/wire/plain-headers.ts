/**
 * Headers of every request that does not set them. A server may reject a request that accepts nothing (RFC 9110, section
 * 12.5.1), and may choose any coding where none is named (section 12.5.3).
 */
export const plainHeaders = { accept: 'application/json', 'accept-encoding': 'identity' }
