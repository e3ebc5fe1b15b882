/** Whether a value is a promise, or anything else with `then`: a caller has forgotten `await`. */
export function isPromise(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'
}
