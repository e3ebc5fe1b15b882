/** Methods that only read (RFC 9110, section 9.2.1). TRACE is safe, too, but no check sends it. */
const safe: readonly string[] = ['GET', 'HEAD', 'OPTIONS']

/** Whether a request of this method asks for no change. What a server does with it is a matter of `ownership/`. */
export function isSafeMethod(method: string): boolean {
  return safe.includes(method)
}
