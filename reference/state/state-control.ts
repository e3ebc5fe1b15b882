/**
 * The state of a reference as a whole: snapshots, resets, export and import.
 *
 * @module
 */

import { isPromise } from '../../spec/is-promise.ts'
import type { ReferenceEnvironment } from '../environment/environment.ts'
import { withCallSite } from '../environment/with-call-site.ts'
import { inTurns } from '../limits/in-turns.ts'
import type { ReferenceBase, ReferenceSnapshot } from '../reference-types.ts'
import type { Services } from '../services.ts'
import type { StateJson, WholeState } from './state-json.ts'

/** The states of snapshots, which do not expose them, and the family of the reference that took each. */
const snapshots = new WeakMap<ReferenceSnapshot, { state: WholeState; family: object }>()

type StateControl = Pick<ReferenceBase, 'snapshot' | 'restore' | 'reset' | 'exportState' | 'importState'>

interface OutsideTheServices {
  /** Shared by a reference and its forks, which can restore the snapshots of each other. */
  family: object
  /** Discards the parts of the replaced state that are not in the services. */
  forget(): void
  /** Sets the clock back to its time after creation. */
  rewind: (() => void) | undefined
}

/** `reset` returns to the state that there is now. */
export function createStateControl(
  { store, memory, background, mail, oauth2 }: Services,
  environment: ReferenceEnvironment,
  { family, forget, rewind }: OutsideTheServices,
): StateControl {
  const save = (): WholeState => ({
    store: store.snapshot(),
    memory: memory.save(),
    random: environment.save(),
  })
  const resume = (to: WholeState) => {
    store.restore(to.store)
    memory.resume(to.memory)
    environment.resume(to.random)
    background.forget()
    mail.clear()
    oauth2.clear()
    forget()
  }
  const initial = save()
  /** Imports take effect in the order of their calls. */
  let importing: Promise<void> = Promise.resolve()

  return {
    snapshot() {
      const taken = {} as ReferenceSnapshot
      snapshots.set(taken, { state: save(), family })
      return taken
    },
    restore(snapshot) {
      const taken = snapshots.get(snapshot)
      if (taken === undefined)
        throw new TypeError('This is not a snapshot of a reference: pass what snapshot() returned.')
      if (taken.family !== family)
        throw new TypeError(
          'This snapshot is from another reference, which may have other tables. Pass one from this reference or its forks, or use exportState() and importState().',
        )
      resume(taken.state)
    },
    reset() {
      resume(initial)
      rewind?.()
    },
    exportState: withCallSite(async () => {
      const { exportState } = await import('./state-json.ts')
      return inTurns(exportState(save()))
    }),
    importState: withCallSite((state: StateJson) => {
      const before = importing
      const imported = (async () => {
        await before
        if (isPromise(state)) throw new TypeError('The state is a promise: await it first.')
        const { importState } = await import('./state-json.ts')
        resume(await inTurns(importState(state, environment), store.untilRestored()))
      })()
      importing = imported.catch(() => {})
      return imported
    }),
  }
}
