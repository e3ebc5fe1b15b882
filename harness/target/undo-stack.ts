/**
 * Records what must be undone, while it is created.
 *
 * @module
 */

export interface UndoStack {
  /** Adds a step: call it right after something was created, before anything else can fail. */
  push(step: () => unknown): void
  /**
   * Runs all steps, the newest first, one after the other. Every step runs.
   *
   * @throws the error of the first step that failed
   */
  run(): Promise<void>
}

/** Creates an empty stack. */
export function undoStack(): UndoStack {
  const steps: (() => unknown)[] = []
  return {
    push(step) {
      steps.push(step)
    },
    async run() {
      const failures: unknown[] = []
      for (const step of steps.splice(0).reverse()) {
        try {
          await step()
        } catch (error) {
          failures.push(error)
        }
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}
