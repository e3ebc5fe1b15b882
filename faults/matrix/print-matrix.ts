/**
 * `npm run faults [-- text]`: prints every fault with the checks that it trips. Exit code 1 when one survives, a check
 * has no fault, or the healthy reference trips a check.
 *
 * @module
 */

import { runFaults } from './run-faults.ts'

const [filter] = process.argv.slice(2)
const begin = performance.now()
const { rows, falseAlarms, untripped, unknown } = await runFaults({
  ...(filter === undefined ? {} : { filter }),
  onRow({ fault, tripped, missed, errors, ms }) {
    const survived = missed.length > 0 || errors.length > 0
    console.log(`${survived ? '✗' : '✓'} ${fault}  ${Math.round(ms)} ms`)
    if (tripped.length > 0) console.log(`    trips   ${tripped.join(', ')}`)
    for (const each of missed) console.log(`    MISSED  ${each}`)
    for (const each of errors) console.log(`    ERROR   ${each}`)
  },
}).catch((error: Error) => {
  console.error(error.message)
  process.exit(2)
})
const surviving = rows.filter(({ missed, errors }) => missed.length > 0 || errors.length > 0)
for (const each of falseAlarms) console.log(`healthy reference: ${each}`)
if (unknown.length > 0) console.log(`no such check: ${unknown.join(', ')}`)
if (untripped.length > 0) console.log(`checks without a fault (${untripped.length}): ${untripped.join(', ')}`)
const seconds = ((performance.now() - begin) / 1000).toFixed(1)
console.log(
  `${rows.length} faults, ${surviving.length} surviving, ${untripped.length} checks without a fault, ${seconds} s`,
)
process.exitCode = surviving.length + falseAlarms.length + untripped.length + unknown.length === 0 ? 0 : 1
