/**
 * Step of `npm run build`: writes which checks there are, and in which suite file. A run is planned from that list, and
 * its workers load only the suites that they run.
 *
 * @module
 */

import { writeFile } from 'node:fs/promises'
import { listChecks } from '../../harness/suites.ts'

/** Writes `suites/index.json`, in the order of the checks. */
export async function indexSuites(dist: URL): Promise<void> {
  await writeFile(new URL('suites/index.json', dist), `${JSON.stringify(await listChecks())}\n`)
}
