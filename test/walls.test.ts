/** The rules of the house that no type can say: what may import what, and what belongs where. */

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('..', import.meta.url))
const files = readdirSync(root)
  .filter((name) => !name.startsWith('.') && !['node_modules', 'dist'].includes(name))
  .flatMap((name) =>
    statSync(join(root, name)).isDirectory()
      ? readdirSync(join(root, name), { recursive: true, encoding: 'utf8' }).map((file) => join(name, file))
      : [name],
  )
  .filter((file) => file.endsWith('.ts') && !file.includes('node_modules'))
  .sort()
const sources = files.filter((file) => !file.endsWith('.test.ts'))

const imports = new Map<string, readonly string[]>()

/** Files of the project that a file imports, type imports included. */
function imported(file: string): readonly string[] {
  const known = imports.get(file)
  if (known !== undefined) return known
  const { importedFiles } = ts.preProcessFile(readFileSync(join(root, file), 'utf8'))
  const found = importedFiles
    .map(({ fileName }) => fileName)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, join(root, dirname(file), name)))
  imports.set(file, found)
  return found
}

const within = (folder: string) => (file: string) => file.startsWith(`${folder}/`)

/** Rooms of the project, and those that each may import. No arrow leads back. */
const mayImport: Readonly<Record<string, readonly string[]>> = {
  spec: [],
  exchange: ['spec'],
  validate: ['spec', 'exchange'],
  reference: ['spec', 'exchange'],
  openapi: ['spec', 'exchange', 'reference'],
  harness: ['spec', 'exchange', 'validate', 'reference'],
  suites: ['spec', 'exchange', 'harness'],
  targets: ['spec', 'harness'],
  integrations: ['spec', 'exchange', 'reference', 'harness'],
  serve: ['spec', 'exchange', 'validate', 'reference', 'openapi', 'harness'],
  cli: ['spec', 'exchange', 'validate', 'reference', 'openapi', 'harness', 'serve'],
  scripts: ['spec', 'exchange', 'validate', 'reference', 'harness', 'suites', 'serve', 'cli'],
  proofs: ['spec', 'exchange', 'validate', 'reference', 'harness', 'suites', 'scripts'],
  examples: [],
  test: [
    ...['spec', 'exchange', 'validate', 'reference', 'openapi', 'harness', 'suites', 'targets'],
    ...['integrations', 'serve', 'cli', 'scripts', 'proofs', 'examples'],
  ],
}

const roomOf = (file: string) => file.split('/', 1)[0] ?? ''

/** @param allowed whether the first may import the second */
function broken(folder: string, allowed: (file: string, name: string) => boolean): string[] {
  return sources
    .filter(within(folder))
    .flatMap((file) =>
      imported(file).flatMap((name) => (allowed(file, name) ? [] : [`${file} imports ${name}`])),
    )
}

/** Groups of modules that all reach each other: by Tarjan's algorithm, in the order of their names. */
function circles(): string[][] {
  const edges = new Map(files.map((file) => [file, imported(file).filter((name) => files.includes(name))]))
  const found: string[][] = []
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  function visit(file: string): number {
    const own = order.size
    order.set(file, own)
    open.push(file)
    let lowest = own
    for (const next of edges.get(file) ?? []) {
      if (!order.has(next)) lowest = Math.min(lowest, visit(next))
      else if (open.includes(next)) lowest = Math.min(lowest, low.get(next) ?? order.get(next) ?? own)
    }
    low.set(file, lowest)
    if (lowest < own) return lowest
    const group = open.splice(open.indexOf(file)).sort()
    if (group.length > 1 || edges.get(file)?.includes(file)) found.push(group)
    return lowest
  }
  for (const file of files) if (!order.has(file)) visit(file)
  return found
}

describe('imports', () => {
  it('no module leads back to itself, not even by a type', () => {
    expect(circles()).toEqual([])
  })

  it('every folder with sources is a room, and type-checked', () => {
    const { include } = JSON.parse(readFileSync(join(root, 'tsconfig.json'), 'utf8')) as { include: string[] }
    expect(Object.keys(mayImport).filter((room) => !include.includes(room))).toEqual([])
    const folders = new Set(sources.filter((file) => file.includes('/')).map(roomOf))
    expect([...folders].sort()).toEqual(Object.keys(mayImport).sort())
  })

  it.each(Object.entries(mayImport))('%s reaches none but %j', (room, others) => {
    expect(broken(room, (_, name) => [room, ...others].includes(roomOf(name)))).toEqual([])
  })

  it('the embedded reference is all that the harness knows of the reference', () => {
    const isReference = within('reference')
    expect(
      broken('harness', (file, name) => !isReference(name) || file === 'harness/target/embedded.ts'),
    ).toEqual([])
  })

  // What these folders take from inside of the reference. Prefer `reference/reference.ts` to a new entry.
  it.each([
    [
      'openapi',
      [
        ...['compile-generator', 'kind', 'pattern', 'registry'].map((name) => `fields/${name}`),
        ...['parse-filter', 'syntax'].map((name) => `query/${name}`),
        ...['auth-options', 'definition-error', 'inspect-table-name'].map((name) => `tables/${name}`),
        ...['make-fields', 'make-indexes', 'sole-column', 'system', 'table-id'].map(
          (name) => `tables/${name}`,
        ),
        'vocabulary',
      ],
    ],
    [
      'serve',
      [
        ...['reference', 'create-reference', 'services-of', 'vocabulary'],
        ...['app', 'errors', 'http/listen', 'reasons/reason-lines', 'state/seed'],
        ...['environment', 'timers', 'time-span'].map((name) => `environment/${name}`),
        ...['limits', 'work', 'in-turns', 'check-rate-limit-rule'].map((name) => `limits/${name}`),
        ...['api-keys', 'secrets', 'tokens', 'mail/mailbox', 'mail/template'].map((name) => `auth/${name}`),
        ...['is-email', 'kind', 'registry'].map((name) => `fields/${name}`),
        ...['read-body', 'seen-request-body', 'strict-json'].map((name) => `http/${name}`),
        'query/rule',
        ...['add-tables', 'read-definitions', 'rule-notices', 'system', 'table-id', 'unused-options'].map(
          (name) => `tables/${name}`,
        ),
        ...['actors', 'fault-options', 'logged-request', 'pretend-provider'].map((name) => `testing/${name}`),
      ],
    ],
  ])('%s takes from the reference only what is listed', (folder, modules) => {
    const taken = sources.filter(within(folder)).flatMap((file) => imported(file).filter(within('reference')))
    expect([...new Set(taken)].sort()).toEqual(modules.map((name) => `reference/${name}.ts`).sort())
  })

  // What takes a part of the session says by its type what it can touch: add no file here that could do the same.
  it('few take the whole session of a run', () => {
    const takes = /import type \{[^}]*\bSession\b[^}]*\} from '[^']*vocabulary\/session\.ts'/
    expect(sources.filter((file) => takes.test(readFileSync(join(root, file), 'utf8')))).toEqual([
      'harness/engine/concurrent-checks.ts',
      'harness/engine/run-assignment.ts',
      'harness/engine/run-in-process.ts',
      'harness/judging/checking.ts',
      'harness/judging/context/create-context.ts',
      'harness/judging/run-check.ts',
      'harness/session/create-session.ts',
      'test/support/check-bench.ts',
    ])
  })

  it('what is not part of the document is known to the entry of the reference only', () => {
    const isExtra = within('reference/extras')
    const knowing = sources.filter((file) => !isExtra(file) && imported(file).some(isExtra))
    expect(knowing).toEqual([
      'reference/create-reference.ts',
      'reference/reference-types.ts',
      'reference/reference.ts',
    ])
    const described = readFileSync(join(root, 'spec/openapi.yaml'), 'utf8')
    expect(
      described.match(/^ {2}\/\S+:$/gm)?.filter((path) => /files|realtime|health|redirect/.test(path)),
    ).toEqual([])
  })

  it('checks know by themselves what is secret: one mistake must not hide in both lists', () => {
    expect(broken('suites', (_, name) => !within('exchange/secrets')(name))).toEqual([])
  })

  it('checks of the document know nothing of the profile, nor the other way round', () => {
    expect(broken('suites/document', (_, name) => !within('suites/profile')(name))).toEqual([])
    expect(broken('suites/profile', (_, name) => !within('suites/document')(name))).toEqual([])
    const bases = (name: string) => within('suites/document')(name) || within('suites/profile')(name)
    expect(broken('suites/shared', (_, name) => !bases(name))).toEqual([])
  })
})

it('the fuzzer sees of the reference and the validator what users see', () => {
  const allowed = [
    'reference/reference.ts',
    'validate/validate.ts',
    ...['proofs/fuzz', 'spec', 'suites/oracle', 'scripts/script-command.ts'],
  ]
  const outside = (name: string) => !allowed.some((each) => name === each || within(each)(name))
  const fuzzer = sources.filter(within('proofs/fuzz'))
  expect(fuzzer.length).toBeGreaterThan(20)
  expect(fuzzer.flatMap((file) => imported(file).filter(outside))).toEqual([])
  expect(
    sources.filter((file) => !within('proofs/fuzz')(file) && imported(file).some(within('proofs/fuzz'))),
  ).toEqual([])
})

describe('words', () => {
  it('no vendor’s name appears in suites, harness and spec', () => {
    const named = files
      .filter((file) => ['suites', 'harness', 'exchange', 'spec'].some((folder) => within(folder)(file)))
      .filter((file) => /pocketbase/i.test(readFileSync(join(root, file), 'utf8')))
    expect(named).toEqual([])
  })

  it('the reference reads time and randomness in two places only', () => {
    const readers = sources
      .filter(within('reference'))
      .filter((file) =>
        /\b(Date\.now|Math\.random|randomBytes|randomUUID|randomInt|getRandomValues|performance\.now|new Date\(\))/.test(
          readFileSync(join(root, file), 'utf8'),
        ),
      )
    expect(readers).toEqual(['reference/environment/environment.ts', 'reference/environment/timers.ts'])
  })

  it('tests draw their examples from one seed', () => {
    const asking = files.filter((file) => /\bfc\.assert\(/.test(readFileSync(join(root, file), 'utf8')))
    expect(asking.length).toBeGreaterThan(5)
    const seeded = (file: string) => imported(file).includes('test/support/seeded.ts')
    expect(asking.filter((file) => !seeded(file))).toEqual([])
  })

  it('nothing is exported as default but the configuration of a tool that requires it', () => {
    const defaults = files.filter((file) => /^export default/m.test(readFileSync(join(root, file), 'utf8')))
    expect(defaults.filter((file) => !/vitest[\w.]*\.config\.ts$/.test(file))).toEqual([])
  })
})

describe('comments', () => {
  /** The text of the comments of a file, without margins. Paths in code are not checked. */
  const commentsOf = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\/\*[\s\S]*?\*\/|(?:^|\s)\/\/ .*(?:\n\s*\/\/ .*)*/g)]
      .map(([comment]) => comment.replace(/^\s*(?:\*|\/\/)/gm, '').replace(/\s+/g, ' '))
      .join('\n')
  const page = (path: string) => readFileSync(join(root, path), 'utf8')
  const headings = (path: string, pattern: RegExp) =>
    new Set([...page(path).matchAll(pattern)].map(([, name]) => name))

  it('cite sections that exist', () => {
    const sections = (name: string) =>
      headings(`docs/contract/${name}.md`, /^#{2,3} ([\d.]+\d|\d+)(?=\.? )/gm)
    const known: Readonly<Record<string, Set<string | undefined>>> = {
      records: sections('records'),
      auth: sections('auth'),
    }
    const number = String.raw`(?:section )?\d+(?:\.\d+)?(?![\d-])`
    const cited = new RegExp(`contract-(\\w+)( ${number}(?:(?:, | and | to )${number})*)?`, 'g')
    const all = sources.flatMap((file) =>
      [...commentsOf(file).matchAll(cited)].map(([text, name = '', numbers = '']) => ({
        text: `${file}: ${text}`,
        missing: [...(numbers.match(/\d+(?:\.\d+)?/g) ?? ['none'])].filter((each) => !known[name]?.has(each)),
      })),
    )
    expect(all.length).toBeGreaterThan(100)
    expect(all.filter(({ missing }) => missing.length > 0)).toEqual([])
  })

  it('name gaps and pages of docs that exist', () => {
    const gaps = headings('docs/profile.md', /^## (\S+)$/gm)
    const decisions = readdirSync(join(root, 'docs/decisions')).map((name) => name.slice(0, 3))
    const exists = (path: string) =>
      path.startsWith('docs/decisions/')
        ? decisions.includes(path.slice(15, 18))
        : existsSync(join(root, path))
    const missing = sources.flatMap((file) => {
      const text = commentsOf(file)
      const named = [...text.matchAll(/(?<![\w./-])docs\/[\w/-]+(?:\.\w+)?/g)].map(([path]) => path)
      const cited = [...text.matchAll(/`([\w.-]+)` in docs\/profile\.md/g)].map(([, gap = '']) => gap)
      return [...named.filter((path) => !exists(path)), ...cited.filter((gap) => !gaps.has(gap))].map(
        (each) => `${file}: ${each}`,
      )
    })
    expect(missing).toEqual([])
  })
})

describe('rooms', () => {
  const hard = [
    'reference/query',
    'proofs/faults/generated',
    'proofs/fuzz',
    'proofs/liars',
    'proofs/mutants',
    'proofs/variations',
  ]
  const rooms = [...Object.keys(mayImport), 'docs', ...hard]
  const readme = (room: string) => readFileSync(join(root, room, 'README.md'), 'utf8')

  it.each(rooms)('%s says in a few lines what is in it, in names that exist', (room) => {
    const text = readme(room)
    // A page explains what takes more; the fuzzer's is one.
    if (room !== 'proofs/fuzz') expect(text.trimEnd().split('\n').length).toBeLessThanOrEqual(15)
    expect(missingIn(text, [room, '.'])).toEqual([])
  })

  it('what CONTRIBUTING.md names exists', () => {
    const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
    expect(missingIn(text, ['.'])).toEqual([])
  })

  /** Files and folders that a page names, and that are in none of these folders. */
  function missingIn(text: string, folders: readonly string[]): string[] {
    const named = [...text.matchAll(/`(\w[\w./-]*(?:\.ts|\.yaml|\/))`/g)].map(([, name = '']) => name)
    return named.filter((name) => !folders.some((from) => existsSync(join(root, from, name))))
  }
})

describe('names of exports', () => {
  /** Names that a tool requires, and pairs that are independent on purpose: none may know the other. */
  const sharedNames: Readonly<Record<string, string>> = {
    setup: 'setup modules and global setups of Vitest',
    target: 'setup modules',
    confirmVerification: 'the operation in the reference, and a check that sends it',
    requestOtp: 'the operation in the reference, and a check that sends it',
    lowerAscii: 'the reference, and the oracle of the suite',
    Row: 'the reference, and the independent server that the suite is tested on',
    Table: 'the reference, and the independent server that the suite is tested on',
  }

  it('mean one thing each', () => {
    const homes = new Map<string, string[]>()
    // Examples are programs of their own.
    const named = sources.filter((file) => !within('examples')(file) && !file.endsWith('.d.ts'))
    for (const file of named)
      for (const name of exportsOf(file)) homes.set(name, [...(homes.get(name) ?? []), file])
    const shared = [...homes].filter(([, files]) => files.length > 1)
    expect(shared.filter(([name]) => !(name in sharedNames))).toEqual([])
    expect(shared.map(([name]) => name).sort()).toEqual(Object.keys(sharedNames).sort())
  })
})

describe('names of files', () => {
  /** Names of their own kind: files whose exports share an idea that none of them names. By name, or by how the path begins. */
  const ownNames: Readonly<Record<string, string>> = {
    'registry.ts': 'all of one kind: fields, faults, liars, variations, servers',
    'vocabulary.ts': 'types, with the lists that they come from',
    'combinators.ts': 'what faults and liars are made of',
    'arbitraries.ts': 'what fast-check draws from',
    'integrations/': 'named after the tool: users import them by this name',
    'targets/': 'named after the server: the exports belong to a setup module',
    'scripts/generate-': 'programs, named after the command',
    'scripts/openapi-examples/write-examples.ts': 'a program, named after the command',
    'scripts/support/build-first.ts': 'a global setup of Vitest, which asks for the name of the export',
    'harness/report/compare/compare-formats.ts': 'one function per format',
    'reference/reasons/reasons.ts': 'one function per reason',
    'harness/cleanup/recovery-notes.ts': 'one function per note',
    'reference/reasons/notes.ts': 'one function per note',
    'reference/fields/cast.ts': 'one function per type',
    'reference/fields/option-error.ts': 'one function per error',
    'proofs/faults/combinators/': 'what faults of one topic are made of',
    'proofs/variations/servers/plumbing.ts': 'what the servers share',
  }
  const exempting = (file: string) =>
    Object.keys(ownNames).filter((name) => file.startsWith(name) || file.endsWith(`/${name}`))
  const code = sources.filter(
    (file) => !/^(?:test|examples)\/|\.d\.ts$/.test(file) && exportsOf(file, isValue).size > 0,
  )
  const strange = code.filter((file) => {
    const name = inWords(file.replace(/^.*\/|(?:\.suite)?\.ts$/g, ''))
    return ![...exportsOf(file)].map(inWords).some((each) => begins(each, name) || begins(name, each))
  })

  it('are those of what the files export', () => {
    expect(code.length).toBeGreaterThan(500)
    expect(strange.filter((file) => exempting(file).length === 0)).toEqual([])
  })

  it('are of their own kind only where one is needed', () => {
    const used = new Set(strange.flatMap(exempting))
    expect(Object.keys(ownNames).filter((name) => !used.has(name))).toEqual([])
  })

  it('compares words, whatever their number and case', () => {
    const fits = (name: string, other: string) => begins(inWords(name), inWords(other))
    expect(fits('createApi', 'create-api')).toBe(true)
    expect(fits('authWithOAuth2', 'oauth2')).toBe(true)
    expect(fits('openApiDocument', 'openapi')).toBe(true)
    expect(fits('redactorOf', 'redact')).toBe(true)
    expect(fits('readColumn', 'columns')).toBe(true)
    expect(fits('createApi', 'client')).toBe(false)
    expect(fits('position', 'on')).toBe(false)
  })
})

/** A name in kebab case. `OAuth2` and `OpenApi` are one word each. */
function inWords(name: string): string {
  return name
    .replace(/OAuth2/g, 'Oauth2')
    .replace(/openApi/gi, 'Openapi')
    .replace(/([a-z\d])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3-$2')
    .toLowerCase()
    .replaceAll('_', '-')
}

/** Whether the words of a name begin with the words of another. */
function begins(name: string, other: string): boolean {
  return `-${name}`.includes(`-${other.replace(/e?s$/, '')}`)
}

function isValue(node: ts.Statement): boolean {
  return !ts.isInterfaceDeclaration(node) && !ts.isTypeAliasDeclaration(node)
}

/** Names that a file declares and exports. Overloads count once, and what it passes on does not count. */
function exportsOf(file: string, counts: (node: ts.Statement) => boolean = () => true): Set<string> {
  const { statements } = ts.createSourceFile(
    file,
    readFileSync(join(root, file), 'utf8'),
    ts.ScriptTarget.Latest,
  )
  const isExported = (node: ts.Statement) =>
    ts.canHaveModifiers(node) &&
    ts.getModifiers(node)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true
  return new Set(
    statements
      .filter((node) => isExported(node) && counts(node))
      .flatMap((node) => {
        const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node as ts.Node]
        return declared.flatMap((each) => {
          const { name } = each as ts.NamedDeclaration
          return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
        })
      }),
  )
}
