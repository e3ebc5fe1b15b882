/**
 * `npm run faults -- --generated [string...]`: prints what became of the generated breaches, by kind.
 *
 * @module
 */

import { breachKinds } from './breach.ts'
import { type BreachRow, type Fate, fates } from './fates.ts'
import { runGenerated } from './run-generated.ts'
import type { BreachSample } from './sample.ts'

const width = 13
const titles: Readonly<Record<Fate, string>> = {
  document: 'by document',
  profile: 'by profile',
  argued: 'argued',
  surviving: 'surviving',
}
/** Milliseconds. */
const betweenNews = 10_000

/** @returns the exit code */
export async function printGenerated(
  sample: BreachSample,
  { seed, verbose, without }: { seed: number; verbose: boolean; without: readonly string[] },
): Promise<number> {
  const begin = performance.now()
  let reported = begin
  const { rows, all } = await runGenerated({
    seed,
    sample,
    without,
    onRows(fresh, done) {
      const now = performance.now()
      if (now - reported > betweenNews) {
        reported = now
        console.error(`${Math.round(100 * done)} % after ${Math.round((now - begin) / 1000)} s`)
      }
      for (const row of fresh) if (verbose || row.fate === 'surviving') console.log(lineOf(row))
    },
  })
  if (rows.length === 0) {
    console.error(
      'No breach is chosen: none of these is of such a kind, or the sample is larger than their number.',
    )
    return 2
  }
  listSurviving(rows)
  if (without.length > 0) console.log(`without ${without.join(', ')}`)
  console.log(
    ['', 'breaches', ...fates.map((fate) => titles[fate])].map((each) => each.padStart(width)).join(' '),
  )
  for (const kind of breachKinds)
    console.log(
      countsOf(
        kind,
        rows.filter((row) => row.kind === kind),
      ),
    )
  console.log(countsOf('all', rows))
  const seconds = ((performance.now() - begin) / 1000).toFixed(0)
  const each = (rows.reduce((sum, { ms }) => sum + ms, 0) / rows.length).toFixed(0)
  console.log(`${rows.length} of ${all} breaches, seed ${seed}: ${seconds} s, ${each} ms each`)
  return rows.some(({ fate }) => fate === 'surviving') ? 1 : 0
}

function countsOf(title: string, rows: readonly BreachRow[]): string {
  const counts = fates.map((fate) => rows.filter((row) => row.fate === fate).length)
  return [title, rows.length, ...counts].map((each) => String(each).padStart(width)).join(' ')
}

function listSurviving(rows: readonly BreachRow[]): void {
  const surviving = rows.filter(({ fate }) => fate === 'surviving')
  if (surviving.length === 0) return
  console.log(`\nsurviving (${surviving.length}):`)
  for (const { name, by } of surviving) console.log(`  ${name}${by === '' ? '' : `: ${by}`}`)
  console.log('')
}

function lineOf({ fate, ms, checks, name, by }: BreachRow): string {
  const cost = `${Math.round(ms)} ms`.padStart(8)
  return `${fate.padEnd(9)} ${cost} ${String(checks).padStart(4)} checks  ${name}${by === '' ? '' : `  (${by})`}`
}
