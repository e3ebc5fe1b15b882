/**
 * The token of an `Authorization` header: as it was sent, or after `Bearer`, in any case, and exactly one space. With any
 * other scheme the whole value is returned, which is then not a valid token.
 */
export function sentToken(authorization = ''): string {
  return /^bearer [^ ]/i.test(authorization) ? authorization.slice(7) : authorization
}
