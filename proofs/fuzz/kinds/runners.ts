/**
 * The runners of each kind. Rounds take them in turn.
 *
 * @module
 */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sessions } from '../generate/sessions.ts'
import { createTroubleLog, inProcessTarget } from '../targets/in-process.ts'
import { startListen, startServeProcess } from '../targets/server-process.ts'
import { socketTarget } from '../targets/socket.ts'
import type { FuzzKind, FuzzRequest } from '../vocabulary.ts'
import { createWorld } from '../world/world.ts'
import { agreementRunner, filterTimeRunner } from './filter.ts'
import { rawRunner } from './raw.ts'
import type { Runner } from './rounds.ts'
import { structuredRunner } from './structured.ts'

/** A server may end the connection of a longer head before all of it was written. Raw messages have such heads. */
const longestPath = 200_000

function withShortHead(request: FuzzRequest): FuzzRequest {
  return { ...request, path: request.path.slice(0, longestPath) }
}

/** Each runner is only ever given inputs of its own arbitrary. */
function erased<Input>(runner: Runner<Input>): Runner<unknown> {
  return {
    arbitrary: runner.arbitrary,
    run: (input, observer) => runner.run(input as Input, observer),
    show: (input, last) => runner.show(input as Input, last),
    close: () => runner.close(),
  }
}

/** @returns the runners, and what removes the files that they need */
export async function createRunners(kind: FuzzKind): Promise<{ runners: Runner<unknown>[]; remove(): void }> {
  const log = createTroubleLog()
  // Uncaught exceptions belong to the server: the fuzzer catches all of its own.
  process.on('uncaughtException', log.add)
  process.on('unhandledRejection', log.add)
  const world = await createWorld(log.add, kind === 'filter')
  if (kind === 'in-process' || kind === 'filter') {
    const target = inProcessTarget(world.reference, log)
    const runners =
      kind === 'filter'
        ? [erased(filterTimeRunner(target, world)), erased(agreementRunner(target, world))]
        : [erased(structuredRunner(target, world, sessions(world.tables)))]
    return { runners, remove: () => {} }
  }
  const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  const stateFile = join(folder, 'state.json')
  writeFileSync(stateFile, JSON.stringify(world.state))
  const servers = [startServeProcess, startListen]
  const overSockets = sessions(world.tables).map((requests) => requests.map(withShortHead))
  const runners =
    kind === 'raw'
      ? servers.map((start) => erased(rawRunner(start, stateFile, world)))
      : servers.map((start) => erased(structuredRunner(socketTarget(start, stateFile), world, overSockets)))
  return { runners, remove: () => rmSync(folder, { recursive: true, force: true }) }
}
