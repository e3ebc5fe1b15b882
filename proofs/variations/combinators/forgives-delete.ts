import { json, on } from '../../faults/combinators/combinators.ts'

/** Deleting a missing record succeeds with 204, unlike one that the caller may not delete. In a missing table, nothing is deleted. */
export const forgivesDelete = on('deleteRecord', async (request, next, _match, { asSuperuser }) => {
  const response = await next(request)
  if (response.status !== 404) return response
  const list = new URL(request.url).pathname.replace(/\/[^/]*$/, '')
  const exists = async (address: string | URL) => (await asSuperuser(new Request(address))).ok
  const isMissing = (await exists(new URL(list, request.url))) && !(await exists(request.url))
  return isMissing ? json(204) : response
})
