/**
 * Step of `npm run build`: the entries of the package, its command, its threads, its suites and its targets, each at the
 * path of its source. What several of them use is in shared files, so that nothing is included twice.
 *
 * @module
 */

import { chmod, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { basename, dirname, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type ChunkingContext, type Plugin, rolldown } from 'rolldown'
import { entries } from '../entries.ts'

const command = 'cli/main.ts'
const threads = ['harness/engine/worker.ts', 'harness/target/embedded-worker.ts']
/** The command line and the subcommands that start most often: what they load is kept apart from what only others need. */
const commands = ['cli/run-program.ts', 'cli/run.ts', 'cli/serve.ts']

/** Placeholder for the path from a written file to `dist`, which is known once all files are. */
const toDist = '__TO_DIST__'

/** @returns folders of the libraries whose code is in the written files, from the root of the project */
export async function bundle(root: URL, dist: URL): Promise<string[]> {
  const [from, to] = [fileURLToPath(root), fileURLToPath(dist)]
  const { dependencies, peerDependencies } = JSON.parse(
    await readFile(new URL('package.json', root), 'utf8'),
  ) as Record<'dependencies' | 'peerDependencies', Record<string, string>>
  // What users install with the package, and what they bring. All other libraries become part of the files.
  const installed = Object.keys({ ...dependencies, ...peerDependencies })
  const starts = [...entries.map(({ source }) => source), command, ...threads]
  const sources = [...starts, ...(await suitesAndTargets(root))]
  const build = await rolldown({
    cwd: from,
    input: Object.fromEntries(sources.map((path) => [path.replace(/\.ts$/, ''), from + path])),
    external: (id) => installed.some((name) => id === name || id.startsWith(`${name}/`)),
    platform: 'node',
    transform: { target: 'node20' },
    // Of `groups` below: a shared file exports what another one needs. An entry exports what its source does.
    preserveEntrySignatures: 'allow-extension',
    plugins: [placesOfSources(from)],
  })
  const { output } = await build.generate({
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
    codeSplitting: {
      includeDependenciesRecursively: false,
      groups: [
        {
          debugName: 'loaded together',
          name: loadedTogether(new Map([...starts, ...commands].map((path) => [from + path, nameOf(path)]))),
        },
      ],
    },
  })
  await build.close()
  for (const file of output) {
    const path = to + file.fileName
    await mkdir(dirname(path), { recursive: true })
    await writeFile(
      path,
      'code' in file ? file.code.replaceAll(toDist, relative(dirname(path), to) || '.') : file.source,
    )
  }
  // npm does this when it installs a package; in a clone, npx starts the file as it is.
  await chmod(`${to}${command.replace(/ts$/, 'js')}`, 0o755)
  return librariesOf(output.flatMap((file) => ('moduleIds' in file ? file.moduleIds : [])))
}

/** They are found in their folders and loaded by their paths. */
async function suitesAndTargets(root: URL): Promise<string[]> {
  const suites = await readdir(new URL('suites/', root), { recursive: true })
  const targets = await readdir(new URL('targets/', root))
  return [
    ...suites.filter((name) => name.endsWith('.suite.ts')).map((name) => `suites/${name}`),
    ...targets.filter((name) => /^[\w-]+\.ts$/.test(name)).map((name) => `targets/${name}`),
  ].sort()
}

/** A module finds files by its own place. In the package they are where they are in a checkout, seen from its source. */
function placesOfSources(root: string): Plugin {
  return {
    name: 'places of sources',
    transform: {
      filter: { id: /\.ts$/, code: 'import.meta.url' },
      handler(code, id) {
        const place = JSON.stringify(`${toDist}/${relative(root, id).replace(/ts$/, 'js')}`)
        return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`)
      },
    },
  }
}

/**
 * Names the file of a module after the starting points that load it immediately: each loads a few files, and none that it
 * does not need. What is loaded later, or by suites alone, the bundler divides automatically.
 */
function loadedTogether(
  starts: ReadonlyMap<string, string>,
): (id: string, context: ChunkingContext) => string | null {
  let names: Map<string, string[]> | undefined
  return (id, context) => {
    names ??= reachedFrom(starts, (module) => context.getModuleInfo(module)?.importedIds ?? [])
    // A start does its work when it is loaded: what others load must not be in the same file.
    return starts.has(id) ? null : (names.get(id)?.join('-') ?? null)
  }
}

function reachedFrom(
  starts: ReadonlyMap<string, string>,
  importsOf: (module: string) => readonly string[],
): Map<string, string[]> {
  const names = new Map<string, string[]>()
  for (const [start, name] of starts) {
    const reached = new Set([start])
    // The loop also visits what is added to the set meanwhile.
    for (const module of reached) {
      for (const imported of importsOf(module)) reached.add(imported)
      names.set(module, [...(names.get(module) ?? []), name])
    }
  }
  return names
}

/** There is a `run.ts` of the command, and one of the suite. */
function nameOf(start: string): string {
  return (commands.includes(start) ? 'cli-' : '') + basename(start, '.ts')
}

function librariesOf(modules: readonly string[]): string[] {
  const folders = modules.flatMap((path) => /node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path) ?? [])
  return [...new Set(folders)].sort()
}
