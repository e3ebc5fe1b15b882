import { expect, describe as group, it } from 'vitest'
import { describe, findWords } from './check-words.ts'
import { COMMENT_FOLDERS, WORDS } from './words.ts'

const examples: readonly [string, string][] = [
  ['held against', 'holds each response against the schema'],
  ['judge of', 'it is a judge of responses'],
  ['anew', 'begin anew'],
  ['whoever', 'whoever asks'],
  ['nobody', 'nobody knows'],
  ['somebody', 'somebody else'],
  ['everybody', 'everybody sees it'],
  ['is no', 'a body that is no JSON'],
  ['answered with', 'was answered with 404'],
  ['refuse', 'a refusal'],
  ['let in', 'lets in a guest'],
  ['beside', 'a key beside another'],
  ['dear', 'arbitraries are dear to make'],
  ['e-mail', 'an e-mail address'],
  ['mail', 'the code was mailed'],
  ['user name', 'a user name'],
  ['paging', 'without paging'],
  ['positive control', 'the positive control failed'],
  ['of which', 'a list of which the first'],
  ['lane', 'in two lanes'],
  ['twin', 'the twin of a server'],
  ['chance', 'by chance'],
  ['surface', 'every surface'],
  ['mend', 'a mended bug'],
  ['ledger', 'in the ledger'],
  ['as a text', 'a number is read as a text'],
  ['ought', 'as it ought to be'],
  ['texts', 'a list of texts.'],
  ['(gap', 'not checked (gap list.paging)'],
  ['told', 'it is told as a warning'],
  ['tells', 'a response tells the id'],
  ['besides', 'what it sends besides'],
  ['reply', 'two replies'],
  ['none of the', 'a request that is none of the interface'],
  ['who …', 'Who signs in here is signed in from then on.'],
  ['has to bear', 'as any server has to bear'],
  ['to be had', 'where it is to be had'],
  ['half done', 'a batch is half done'],
  ['British spelling', 'a normalised value'],
  ['there are:', 'an unknown kind. There are: auth, file'],
  [': give', 'the seed is "x": give a number'],
  ['in place of', 'a name in place of an id'],
  ['stands there', 'the body stands there as it is'],
  ['the same of', 'The same of a batch.'],
  ['no answer', 'without an answer'],
  ['something else than', 'a boundary is followed by something else than a line break'],
  ['but otherwise than', 'it is rejected, but otherwise than a wrong one'],
]

/** What `npm run check` prints of a file. */
function printed(path: string, content: string, folders?: readonly string[]): string[] {
  return findWords(path, content, folders).map(describe)
}

group('finds a word', () => {
  it('in YAML, with file, line, words and what to write', () => {
    expect(printed('spec/requirements.yaml', 'requirements:\n  - statement: Nobody MUST see it.\n')).toEqual([
      'spec/requirements.yaml:2: "Nobody": write "no one, or name them"',
    ])
  })

  it('in JSON', () => {
    expect(printed('spec/a.schema.json', '{\n  "beside": "said by nobody"\n}')).toEqual([
      'spec/a.schema.json:2: "nobody": write "no one, or name them"',
    ])
  })

  it('across a line break of a page', () => {
    expect(printed('docs/a.md', 'One\n\ntwo are held\nagainst three.')).toEqual([
      'docs/a.md:3: "held against": write "validate, check"',
    ])
  })

  it('in every piece of a template, and in attributes of calls', () => {
    const code = `f(\n  \`begin anew \${x} for\nwhoever asks\`,\n  'a mail went out',\n)`
    expect(printed('suites/a.ts', code)).toEqual([
      'suites/a.ts:2: "anew": write "again, restart"',
      'suites/a.ts:3: "whoever": write "anyone who, or name them"',
      'suites/a.ts:4: "a mail": write "email, an email, emailed"',
    ])
  })

  it.each(examples)('%s', (word, text) => {
    expect(findWords('a.md', text)).toMatchObject([{ word }])
  })

  it.each([
    ['mend', 'what tends the records'],
    ['ledger', 'on the books'],
  ])('%s, in its other forms', (word, text) => {
    expect(findWords('a.md', text)).toMatchObject([{ word }])
  })

  it.each([['const recognised = 1'], ['f(tokenise)'], ['class Misbehaviour {}']])(
    'of British spelling in names: %s',
    (code) => {
      expect(findWords('a/b.ts', code)).toMatchObject([{ word: 'British spelling', line: 1 }])
    },
  )

  it('for each entry of the list', () => {
    expect(examples.map(([word]) => word)).toEqual(WORDS.map(({ word }) => word))
  })
})

group('in the folders of the list', () => {
  const folders = ['a/', 'b/']

  it('finds a word in comments of every kind, across their lines', () => {
    const code = [
      '/**',
      ' * Values are held',
      ' * against the schema.',
      ' *',
      ' * @param a seen by nobody',
      ' */',
      'function f(a: number /* or a refusal */) {',
      '  g(a) // begins anew',
      '  // whoever',
      '}',
    ]
    expect(printed('b/c.ts', code.join('\n'), folders)).toEqual([
      'b/c.ts:2: "held against": write "validate, check"',
      'b/c.ts:5: "nobody": write "no one, or name them"',
      'b/c.ts:7: "refusal": write "reject, error response"',
      'b/c.ts:8: "anew": write "again, restart"',
      'b/c.ts:9: "whoever": write "anyone who, or name them"',
    ])
  })

  it('finds it in titles of tests, and in no other string of a test', () => {
    const code = "describe('nobody', () => {\n  it.each([1])('refuses %i', () => f('whoever asks'))\n})"
    expect(printed('a/c.test.ts', code, folders)).toEqual([
      'a/c.test.ts:1: "nobody": write "no one, or name them"',
      'a/c.test.ts:2: "refuses": write "reject, error response"',
    ])
  })

  it.each([
    ['in names, strings and patterns', 'const anew = "nobody" + `// whoever` + /\\/\\/ beside/.source'],
    ['in names of parameters', '/** @param refusal the message of a 400 */\nfunction f(refusal: string) {}'],
    ['in code of a comment', '/** Returns `{ mails }`. */\nconst a = 1'],
  ])('finds nothing %s', (_, code) => {
    expect(printed('a/c.ts', code, folders)).toEqual([])
  })

  it('finds nothing in comments elsewhere', () => {
    expect(printed('c/d.ts', '// nobody\nconst a = 1', folders)).toEqual([])
  })

  it('each is a folder at the top of the project or below', () => {
    for (const folder of COMMENT_FOLDERS) expect(folder).toMatch(/^[a-z].*\/$/)
  })
})

group('finds nothing', () => {
  it.each([
    [
      'in comments and names',
      'cli/a.ts',
      '// nobody\n/** whoever asks */\nconst anew = "fine words" // a mail',
    ],
    ['in what is imported', 'cli/a.ts', "import { a } from '../the refusal of/refuse.ts'"],
    ['in keys of JSON', 'spec/a.json', '{ "beside": { "description": "Fine words." } }'],
    [
      'in a string of one word, which is an id or a value',
      'cli/a.ts',
      "check('otp.mails-code'); f('nobody')",
    ],
    ['in code of a page', 'a.md', 'The `mails` of:\n```js\nconst { mails } = refused\n```'],
    ['in code of a string', 'cli/a.ts', "const says = '`{ mails }` of the mailbox'"],
    ['in ids', 'a.yaml', '- id: otp.mails-code\n  after: [table.missing-refused, list.paging]'],
    [
      'in English',
      'a.md',
      'There is no body. Who is it? Those who have it may read it. `date.normalises`. It is no longer sent. The mail sink had no connection: connection refused.',
    ],
  ])('%s', (_, path, content) => {
    expect(printed(path, content, [])).toEqual([])
  })
})
