/**
 * Step of `npm run build`: the YAML files of `spec/` become JSON in `dist/spec/`, where the loaders look first. The
 * built package then parses no YAML to start, and its files need no parser to be read by others. The files of the
 * console page are taken along as they are.
 *
 * @module
 */

import { chmod, copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

interface RequirementFile {
  requirements?: Record<string, unknown>[]
  exclusions?: unknown[]
}

// This module runs as dist/scripts/bundle-spec.js.
const root = new URL('../../', import.meta.url)
const spec = new URL('spec/', root)
const out = new URL('dist/spec/', root)

async function readYaml(name: string): Promise<unknown> {
  return parse(await readFile(new URL(name, spec), 'utf8'))
}

async function writeJson(name: string, content: unknown): Promise<void> {
  await writeFile(new URL(name, out), `${JSON.stringify(content)}\n`)
}

/** All requirement files as one: those of the document first, then the profile's by file name. */
async function allRequirements(): Promise<Required<RequirementFile>> {
  const document = (await readYaml('requirements.yaml')) as RequirementFile
  const names = (await readdir(new URL('profile/', spec))).filter((name) => name.endsWith('.yaml')).sort()
  const profile = await Promise.all(
    names.map((name) => readYaml(`profile/${name}`) as Promise<RequirementFile>),
  )
  return {
    requirements: [
      ...(document.requirements ?? []),
      ...profile.flatMap(({ requirements }) =>
        (requirements ?? []).map((requirement) => ({ basis: 'profile', ...requirement })),
      ),
    ],
    exclusions: document.exclusions ?? [],
  }
}

await mkdir(out, { recursive: true })
await Promise.all([
  cp(new URL('serve/console/static/', root), new URL('dist/serve/console/static/', root), {
    recursive: true,
  }),
  ...['openapi', 'gaps', 'tables', 'unseen'].map(async (name) =>
    writeJson(`${name}.json`, await readYaml(`${name}.yaml`)),
  ),
  allRequirements().then((all) => writeJson('requirements.json', all)),
  ...(await readdir(spec))
    .filter((name) => name.endsWith('.schema.json'))
    .map((name) => copyFile(new URL(name, spec), new URL(name, out))),
])
// npm does this when it installs a package; in a clone, npx starts the file as it is.
await chmod(new URL('dist/cli/main.js', root), 0o755)
