import { json, on } from '../../faults/combinators/combinators.ts'

/** Deleting a missing record succeeds with 204. In a missing table, nothing is deleted. */
export const forgivesDelete = on('deleteRecord', async (request, next, _match, { asSuperuser }) => {
  const response = await next(request)
  if (response.status !== 404) return response
  const list = new URL(request.url).pathname.replace(/\/[^/]*$/, '')
  const { ok } = await asSuperuser(new Request(new URL(list, request.url)))
  return ok ? json(204) : response
})
