/** Events of the server, for every part of the page that follows them. */

const listeners = new Map()

/** @returns what ends it */
export function follow(event, listener) {
  const all = listeners.get(event) ?? new Set()
  listeners.set(event, all)
  all.add(listener)
  return () => all.delete(listener)
}

function tell(event, data) {
  for (const listener of [...(listeners.get(event) ?? [])]) listener(data)
}

export function connect() {
  const source = new EventSource('api/events')
  for (const event of ['request', 'mail', 'state', 'missed', 'behind'])
    source.addEventListener(event, (message) => tell(event, JSON.parse(message.data)))
  source.addEventListener('hello', () => tell('link', true))
  source.addEventListener('error', () => tell('link', false))
}
