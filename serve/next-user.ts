import type { PretendUser } from '../reference/reference.ts'
import { InvalidControlRequest } from './respond.ts'
import type { Serving } from './serving.ts'

/** Who signs in next at a pretended provider, as it was sent. */
interface NextUser extends Partial<PretendUser> {
  reject?: 'token' | 'user'
  /** The page that the user visits. Absent: the next code that is redeemed, at any provider, is the user's. */
  authURL?: string
}

/** @throws InvalidControlRequest if the URL of the page lacks the address of the application */
export function nextUser(
  { reference: { oauth2 } }: Serving,
  { reject, authURL, sub = '', ...others }: NextUser,
): { code: string } | { url: string } {
  const user = reject === undefined ? { sub, ...others } : { reject }
  if (authURL === undefined) return { code: oauth2.next(user).code }
  if (!URL.canParse(authURL)) throw new InvalidControlRequest('"authURL" must be a URL from auth-methods.')
  return { url: oauth2.visit(authURL, user).href }
}
