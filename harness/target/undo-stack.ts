/**
 * Remembers what must be undone, while it is being made.
 *
 * @module
 */

export interface UndoStack {
  /** Remembers a step: of what has just been made, before anything else can fail. */
  push(step: () => unknown): void
  /**
   * Takes all steps that are remembered, the youngest first, each when the one before has ended. Every step runs.
   *
   * @throws what the first step threw that failed
   */
  run(): Promise<void>
}

/** An empty one. */
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
