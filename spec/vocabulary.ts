/**
 * The words of the project, as types. This file does nothing: read it first.
 *
 * @module
 */

import type { operationPaths } from './generated/operations.ts'

/** Strength of a requirement, after RFC 2119. It is read off the keyword in the statement. */
export type Level = 'MUST' | 'SHOULD' | 'MAY'

/** Where a requirement comes from: a sentence says it, it follows from sentences, or the profile adds it. */
export type Basis = 'stated' | 'implied' | 'profile'

/** Of a requirement of a profile: what a careful server should do, or what merely happens to be so in the living family. */
export type Grade = 'recommended' | 'family'

/** The nineteen operations of the document, named as the OpenAPI description names them. */
export type OperationId = (typeof operationPaths)[number]['id']

/** What a project API key may do with the records of a table. */
export type KeyAction = 'list' | 'view' | 'create' | 'update' | 'delete'

/** Address of one sentence or table row of the document. The project holds no sentence of it, only this. */
export interface Source {
  /** Section number, for example `2.4` or `4.1`. */
  section: string
  /** Place inside the section in words, for example `row totalPages`, `item 3`, `paragraph 1 sentence 2`. */
  place: string
  /** First eight hex digits of the SHA-256 of the normalized sentence or row. */
  hash: string
}

/**
 * Something a check cannot do without.
 *
 * - `table:<role>`: a table of `spec/tables.yaml`, made by a setup or mapped by the target
 * - `actor:<name>`: someone who can sign in, `superuser` for example
 * - `capability:<name>`: an optional part of the interface, `batch` for example
 * - `hook:<name>`: help from the tester's side, `clock` for example
 * - `relation`: a table that is related to itself (`related`), or two tables (`child` and `parent`)
 * - `second-auth-table`: `staff`, or another auth table than that of `members`
 * - `write`: the run may create and delete records
 */
export type Need =
  | `table:${string}`
  | `actor:${string}`
  | `capability:${string}`
  | `hook:${string}`
  | 'relation'
  | 'second-auth-table'
  | 'write'

/** One testable claim about a server. */
export interface Requirement {
  /** Stable slug, `list.total-pages` for example. Never renamed without an alias. */
  id: string
  /** The claim in our own words, with one RFC 2119 keyword in capitals. */
  statement: string
  level: Level
  basis: Basis
  /** Sentences or rows of the document it rests on. Empty for basis `profile`. */
  sources: Source[]
  /** Key in `spec/gaps.yaml`, for basis `profile` only. */
  gap?: string
  /** For basis `profile` only. */
  grade?: Grade
  /** What follows for security if a server does otherwise. */
  security?: string
  /** Why this level, where the wording of the document leaves room. */
  note?: string
  operations: OperationId[]
  needs: Need[]
  /** Requirements that this one builds on: when one of them does not hold, this one is `blocked`. */
  after: string[]
}

/** A sentence or row of the document that no test can observe, and why. */
export interface Exclusion {
  source: Source
  reason: string
}

/** One thing that the document leaves open. */
export interface Gap {
  /** Stable key, `list.parameter-names` for example. */
  key: string
  /** Where the document says that it does not say. */
  sources: Source[]
  /** The question, in our words. */
  question: string
  /** What the standard profile decides. */
  answer: string
  why: string
  /** Why no requirement of the profile cites it, or which part of the decision none does, and why. */
  untested?: string
  /** Binding keys that a target may override, with the standard profile's value. */
  bindings?: Record<string, string>
}

/** The part of a profile needed to speak at all, by dotted key (`list.page`, `prefix`). Complete: every key has a value. */
export type Binding = Readonly<Record<string, string>>
