/**
 * `npm run variations [-- string] [--whole]`: prints every lawful variation with what the suite says of it. Exit code 1
 * when one is accused, has no verdict that it does not declare, was never met, or ends the run; 2 when the string
 * matches none.
 *
 * `npm run variations -- --servers [string] [--only id] [--seed 1]`: the same for complete servers of different minds, with all
 * checks of the document. Exit code 1 when one is accused or ends the run.
 *
 * @module
 */

import { parseArgs } from 'node:util'
import { describeRow, isAccused, runServers } from '../servers/run-servers.ts'
import { isBad, type VariationRow } from './matrix.ts'
import { runVariations } from './run-variations.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    whole: { type: 'boolean', default: false },
    servers: { type: 'boolean', default: false },
    only: { type: 'string', multiple: true, default: [] },
    seed: { type: 'string', default: '1' },
  },
})
const [filter] = positionals
const chosen = { seed: Number(values.seed), ...(filter === undefined ? {} : { filter }) }

function usageError(error: Error): never {
  console.error(error.message)
  process.exit(2)
}

function print(row: VariationRow): void {
  const { names, area, accused, silent, stale, met, errors, checks, ms } = row
  const counts = [met, checks, Math.round(ms)].map((each) => String(each).padStart(6)).join(' ')
  console.log(`${isBad(row) ? '✗' : '✓'} ${counts}  ${area.padEnd(10)} ${names.join(' + ')}`)
  for (const each of accused) console.log(`    ACCUSED  ${each}`)
  for (const each of silent) console.log(`    SILENT   ${each}`)
  for (const each of stale) console.log(`    STALE    ${each}`)
  for (const each of errors) console.log(`    ERROR    ${each.slice(0, 500)}`)
  if (met === 0) console.log('    NOT MET  no exchange of the run was changed')
}

async function printServers(): Promise<void> {
  const options = { ...chosen, only: values.only }
  const rows = await runServers({
    ...options,
    onRow: (row) => console.log(describeRow(row).join('\n')),
  }).catch(usageError)
  const accused = rows.filter(isAccused).length
  console.log(`${rows.length} servers: ${accused} accused or with errors`)
  process.exitCode = accused > 0 ? 1 : 0
}

async function printVariations(): Promise<void> {
  const begin = performance.now()
  console.log('     met checks     ms  area       variation')
  const rows = await runVariations({
    whole: values.whole,
    onRow: print,
    ...chosen,
  }).catch(usageError)
  const count = (found: (row: VariationRow) => boolean) => rows.filter(found).length
  console.log(
    `${rows.length} variations: ${count(({ accused }) => accused.length > 0)} accused, ` +
      `${count(({ silent }) => silent.length > 0)} without a verdict that they do not declare, ` +
      `${count(({ met }) => met === 0)} not met, ${count(({ errors }) => errors.length > 0)} with errors; ` +
      `${((performance.now() - begin) / 1000).toFixed(1)} s`,
  )
  process.exitCode = rows.some(isBad) ? 1 : 0
}

await (values.servers ? printServers() : printVariations())
