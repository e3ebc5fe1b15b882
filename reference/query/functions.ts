/**
 * From a function call in the syntax tree to a term, and the distance that one of them computes.
 *
 * @module
 */

import type { SqlValue } from '../vocabulary.ts'
import type { Frame } from './frame.ts'
import { QueryError } from './query-error.ts'
import { numberOf } from './sql-value.ts'
import { strftime } from './strftime.ts'
import type { FunctionCall, OperandSyntax } from './syntax.ts'
import type { Term } from './term.ts'

const MAX_STRFTIME_ARGUMENTS = 10
const EARTH_RADIUS_KM = 6371

/**
 * The two functions of the filter language (contract-records 2.7). For a distance to a multi-valued path any one row is
 * enough; a time string from one is multi-valued itself.
 *
 * @throws QueryError for an unknown name, or a wrong kind or number of arguments
 */
export function resolveFunction(call: FunctionCall, resolve: (operand: OperandSyntax) => Term): Term {
  if (call.name === 'geoDistance') return distanceTerm(call.args, resolve)
  if (call.name === 'strftime') return timeTerm(call.args, resolve)
  throw new QueryError(`"${call.name}": unknown function.`)
}

function distanceTerm(args: OperandSyntax[], resolve: (operand: OperandSyntax) => Term): Term {
  if (args.length !== 4) throw new QueryError('geoDistance: takes longitude and latitude of two points.')
  if (args.some((arg) => arg.kind !== 'identifier' && arg.kind !== 'number')) {
    throw new QueryError('geoDistance: takes fields and numbers only.')
  }
  const terms = args.map(resolve)
  return {
    ...joined(terms),
    exact: true,
    literal: args.some((arg) => arg.kind === 'number'),
    value(frame) {
      frame.scope.work.spend(2)
      const numbers = terms.map((term) => toNumber(term.value(frame)))
      const [lonA, latA, lonB, latB] = numbers
      if (lonA == null || latA == null || lonB == null || latB == null) return null
      return geoDistance(lonA, latA, lonB, latB)
    },
  }
}

/**
 * Kilometers along the great circle between two points in degrees; null if a coordinate is missing. The argument is
 * kept inside the domain of acos: a point is 0 km from itself (contract-records section 12 shows where that fails).
 */
function geoDistance(lonA: number, latA: number, lonB: number, latB: number): number {
  const a = radians(latA)
  const b = radians(latB)
  const cosine =
    Math.cos(a) * Math.cos(b) * Math.cos(radians(lonB) - radians(lonA)) + Math.sin(a) * Math.sin(b)
  return EARTH_RADIUS_KM * Math.acos(Math.min(1, Math.max(-1, cosine)))
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180
}

function timeTerm(args: OperandSyntax[], resolve: (operand: OperandSyntax) => Term): Term {
  const [format, time, ...modifiers] = args
  if (format?.kind !== 'text') throw new QueryError('strftime: the format must be a string.')
  if (args.length > MAX_STRFTIME_ARGUMENTS) {
    throw new QueryError(`strftime: more than ${MAX_STRFTIME_ARGUMENTS} arguments.`)
  }
  if (time?.kind === 'function') throw new QueryError('strftime: the time must be a field or a value.')
  const changes = modifiers.map((modifier) => {
    if (modifier.kind !== 'text') throw new QueryError('strftime: modifiers must be strings.')
    return modifier.value
  })
  const term = time && resolve(time)
  // Every conversion and every modifier creates a new date.
  const steps = 4 + (format.value.length >> 1) + 4 * changes.length
  const textOf = (value: SqlValue, frame: Frame) => {
    frame.scope.work.spend(steps)
    return strftime(format.value, value, changes, frame.scope.now)
  }
  // The family does not treat an empty one as a literal.
  const literal =
    format.value !== '' && !changes.includes('') && !(time?.kind === 'text' && time.value === '')
  if (term === undefined)
    return { ...joined([]), exact: false, literal, value: (frame) => textOf('now', frame) }
  const { every, guardEvery } = term
  return {
    ...joined([term]),
    exact: false,
    literal,
    value: (frame) => textOf(term.value(frame), frame),
    every: every && ((frame) => every(frame).map((value) => textOf(value, frame))),
    guardEvery,
  }
}

function joined(terms: Term[]): Pick<Term, 'joins' | 'affinity' | 'floating' | 'constant' | 'guard'> {
  const joins = [...new Set(terms.flatMap((term) => term.joins))].sort((a, b) => a - b)
  const guards = terms.flatMap((term) => term.guard ?? [])
  return {
    joins,
    affinity: 'none',
    floating: false,
    constant: false,
    ...(guards.length === 0 ? {} : { guard: (frame) => guards.every((guard) => guard(frame)) }),
  }
}

function toNumber(value: SqlValue): number | null {
  return typeof value === 'string' ? (numberOf(value) ?? null) : value
}
