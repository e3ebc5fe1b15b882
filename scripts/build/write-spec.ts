/**
 * Step of `npm run build`: the YAML files of `spec/` become JSON in `dist/spec/`, where the loaders look first. The
 * built package then parses no YAML to start, and its files need no parser to be read by others. The files of the
 * console page are copied as they are.
 *
 * @module
 */

import { copyFile, cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { parse } from 'yaml'

interface RequirementFile {
  requirements?: Record<string, unknown>[]
  exclusions?: unknown[]
}

/** All requirement files as one: those of the document first, then the profile's by file name. */
async function allRequirements(spec: URL): Promise<Required<RequirementFile>> {
  const document = (await readYaml(new URL('requirements.yaml', spec))) as RequirementFile
  const names = (await readdir(new URL('profile/', spec))).filter((name) => name.endsWith('.yaml')).sort()
  const profile = await Promise.all(
    names.map((name) => readYaml(new URL(`profile/${name}`, spec)) as Promise<RequirementFile>),
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

/** Writes `spec/` and the files of the pages that `serve` has. */
export async function writeSpec(root: URL, dist: URL): Promise<void> {
  const [spec, out] = [new URL('spec/', root), new URL('spec/', dist)]
  const writeJson = (name: string, content: unknown) =>
    writeFile(new URL(name, out), `${JSON.stringify(content)}\n`)
  await mkdir(out, { recursive: true })
  await Promise.all([
    ...['serve/console/static/', 'serve/docs/static/'].map((folder) =>
      cp(new URL(folder, root), new URL(folder, dist), { recursive: true }),
    ),
    ...['openapi', 'gaps', 'tables', 'mapped-tables', 'unseen'].map(async (name) =>
      writeJson(`${name}.json`, await readYaml(new URL(`${name}.yaml`, spec))),
    ),
    copyExamples(spec, out),
    allRequirements(spec).then((all) => writeJson('requirements.json', all)),
  ])
}

async function copyExamples(spec: URL, out: URL): Promise<void> {
  const examples = 'generated/exchanges.json'
  await mkdir(new URL('generated/', out), { recursive: true })
  await copyFile(new URL(examples, spec), new URL(examples, out))
}

async function readYaml(file: URL): Promise<unknown> {
  return parse(await readFile(file, 'utf8'))
}
