import { type FSWatcher, mkdtempSync, rmSync, watch, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { contentOf, watchFile } from './watch-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'watch-'))
const unexpected = (error: unknown) => {
  throw error
}
afterAll(() => rmSync(folder, { recursive: true }))

describe('a watched file', () => {
  it('that changed before the watch began is reported', async () => {
    const file = join(folder, 'early.json')
    writeFileSync(file, 'old')
    const known = contentOf(file)
    writeFileSync(file, 'new')
    let changes = 0
    const stop = watchFile(
      file,
      known,
      () => {
        changes += 1
      },
      unexpected,
    )
    await vi.waitFor(() => expect(changes).toBe(1), 5_000)
    stop()
  })

  it('is not reported while the file is empty', async () => {
    const file = join(folder, 'emptied.json')
    writeFileSync(file, 'before')
    const seen: string[] = []
    const stop = watchFile(file, contentOf(file), () => void seen.push(String(contentOf(file))), unexpected)
    writeFileSync(file, '')
    await new Promise((resolve) => setTimeout(resolve, 250))
    writeFileSync(file, 'after')
    await vi.waitFor(() => expect(seen).toEqual(['after']), 5_000)
    stop()
  })

  it('is reported for one change after another, and not if its content stays the same', async () => {
    const file = join(folder, 'often.json')
    writeFileSync(file, '0')
    const seen: string[] = []
    let busy = 0
    const stop = watchFile(
      file,
      contentOf(file),
      async () => {
        busy += 1
        seen.push(`${contentOf(file)}${busy > 1 ? ' at once' : ''}`)
        await new Promise((resolve) => setTimeout(resolve, 150))
        busy -= 1
      },
      unexpected,
    )
    for (const text of ['1', '1', '2', '3']) {
      writeFileSync(file, text)
      await vi.waitFor(() => expect(seen.at(-1)).toBe(text), 5_000)
    }
    await vi.waitFor(() => expect(seen).toEqual(['1', '2', '3']), 5_000)
    stop()
  })

  it('is reported again after a report that failed, and the error is passed on', async () => {
    const file = join(folder, 'failing.json')
    writeFileSync(file, '0')
    const seen: string[] = []
    const errors: unknown[] = []
    const stop = watchFile(
      file,
      contentOf(file),
      async () => {
        seen.push(String(contentOf(file)))
        if (seen.length === 1) throw new Error('of the first report')
      },
      (error) => errors.push(error),
    )
    for (const text of ['1', '2']) {
      writeFileSync(file, text)
      await vi.waitFor(() => expect(seen.at(-1)).toBe(text), 5_000)
    }
    expect(errors).toEqual([new Error('of the first report')])
    stop()
  })

  it('whose watch ends with an error passes it on', () => {
    const other = watch(folder)
    other.close()
    const close = vi.spyOn(Object.getPrototypeOf(other) as FSWatcher, 'close')
    const errors: unknown[] = []
    const stop = watchFile(
      join(folder, 'none.json'),
      undefined,
      () => {},
      (error) => errors.push(error),
    )
    stop()
    const [watcher] = close.mock.contexts as FSWatcher[]
    close.mockRestore()
    watcher?.emit('error', new Error('of the watch'))
    expect(errors).toEqual([new Error('of the watch')])
  })
})
