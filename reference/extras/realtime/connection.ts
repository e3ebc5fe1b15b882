import type { Reader } from '../../vocabulary.ts'
import type { EventStream } from './event-stream.ts'
import { guestIdentity, type Identity } from './identity.ts'
import { readTopic, type Topic } from './topic.ts'

/** One client that listens: who it is, and what it wants to hear of. */
export class Connection {
  readonly id: string
  readonly ip: string
  readonly stream: EventStream
  identity: Identity = guestIdentity
  #topics = new Map<string, Topic[]>()

  constructor(id: string, ip: string, stream: EventStream) {
    this.id = id
    this.ip = ip
    this.stream = stream
  }

  /** Puts these topics in place of those before. A name with a line break could not be sent, and is left out. */
  subscribe(texts: readonly string[]): void {
    this.#topics = new Map()
    for (const text of new Set(texts)) {
      if (text === '' || /[\r\n]/.test(text)) continue
      const topic = readTopic(text)
      this.#topics.set(topic.path, [...(this.#topics.get(topic.path) ?? []), topic])
    }
  }

  unsubscribe(path: string): void {
    this.#topics.delete(path)
  }

  readonly topics = (path: string): readonly Topic[] => this.#topics.get(path) ?? []

  /** Whether it belongs to someone other than a guest in this state. */
  isSignedIn(reader: Reader): boolean {
    return this.identity.callerIn(reader).kind !== 'guest'
  }
}
