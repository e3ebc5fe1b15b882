import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { type ParsedCopy, parsedCopy } from '../spec/read-data.ts'

/** Writes what `spec/read-data.ts` reads in a checkout, so that not every process of the tests parses the YAML of `spec/`. */
export async function writeParsedCopies(): Promise<void> {
  const spec = new URL('../spec/', import.meta.url)
  for (const file of await readdir(spec, { recursive: true })) {
    if (!file.endsWith('.yaml')) continue
    const source = await readFile(new URL(file, spec), 'utf8')
    const copy: ParsedCopy = { source, content: parse(source) }
    const place = parsedCopy(file.replaceAll('\\', '/').replace(/\.yaml$/, ''))
    const part = new URL(`${place.href}.${process.pid}`)
    await mkdir(new URL('.', place), { recursive: true })
    await writeFile(part, JSON.stringify(copy))
    // Another process may read it meanwhile.
    await rename(part, place)
  }
}
