/** The requests of the page to the server. */

export class Refused extends Error {
  constructor(message, status, data) {
    super(message)
    this.status = status
    this.data = data
  }
}

/** @param path after `/_/api/`. @param body a form or a file of JSON as it is, anything else as JSON. @throws `Refused` */
export async function ask(path, { method = 'GET', body } = {}) {
  const form = body === undefined || body instanceof FormData
  const ready = form || body instanceof Blob
  return read(
    await fetch(`api/${path}`, {
      method,
      headers: form ? {} : { 'content-type': 'application/json' },
      body: ready ? body : JSON.stringify(body),
    }),
  )
}

/** Asks the interface itself, as an application would. @param url with the prefix */
export async function askInterface(url, body) {
  return read(
    await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  )
}

async function read(response) {
  const text = await response.text()
  const content = text === '' ? undefined : JSON.parse(text)
  if (response.ok) return content
  const data = content?.data ?? {}
  const details = Object.entries(data).map(
    ([name, problem]) => `${name}: ${problem?.message ?? JSON.stringify(problem)}`,
  )
  // Where there are errors by field, the reason only repeats them.
  const reasons = details.length > 0 ? details : (content?.reason ?? [])
  throw new Refused(
    [content?.message ?? `Status ${response.status}`, ...reasons].join(' '),
    response.status,
    data,
  )
}

export const segment = encodeURIComponent
