import type { Reader } from '../../vocabulary.ts'
import type { EventStream } from './event-stream.ts'
import { guestIdentity, type RealtimeIdentity } from './identity.ts'
import { readTopic, type Topic } from './topic.ts'

/** A connected client: its caller and its topics. */
export class Connection {
  readonly id: string
  readonly ip: string
  readonly stream: EventStream
  identity: RealtimeIdentity = guestIdentity
  #topics = new Map<string, Topic[]>()

  constructor(id: string, ip: string, stream: EventStream) {
    this.id = id
    this.ip = ip
    this.stream = stream
  }

  /** Replaces all topics. A name with a line break could not be sent and is ignored. */
  subscribe(strings: readonly string[]): void {
    this.#topics = new Map()
    for (const text of new Set(strings)) {
      if (text === '' || /[\r\n]/.test(text)) continue
      const topic = readTopic(text)
      this.#topics.set(topic.path, [...(this.#topics.get(topic.path) ?? []), topic])
    }
  }

  unsubscribe(path: string): void {
    this.#topics.delete(path)
  }

  readonly topics = (path: string): readonly Topic[] => this.#topics.get(path) ?? []

  /** Whether the connection belongs to a caller other than a guest in this state. */
  isSignedIn(reader: Reader): boolean {
    return this.identity.callerIn(reader).kind !== 'guest'
  }
}
