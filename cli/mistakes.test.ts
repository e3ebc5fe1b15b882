/** Errors of the caller: exit 2, with the place and the next step, and never a stack trace. */

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { commandInProcess } from '../test/support/command-in-process.ts'
import { conformance } from '../test/support/run-command.ts'

const folder = mkdtempSync(join(tmpdir(), 'conformance-mistakes-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('mistakes of the caller', () => {
  const file = join(folder, 'bad.json')
  writeFileSync(file, '{"baseUrl":"http://127.0.0.1:1","tabels":{}}')
  const report = join(folder, 'empty-report.json')
  writeFileSync(report, '{"findings":[]}')
  const [odd, list, fields, field] = [
    join(folder, 'odd-report.json'),
    join(folder, 'list.json'),
    join(folder, 'fields.json'),
    join(folder, 'field.json'),
  ]
  writeFileSync(odd, '{"findings":[null]}')
  writeFileSync(list, '[5]')
  writeFileSync(fields, '[{"name":"x","fields":5}]')
  writeFileSync(field, '[{"name":"x","fields":[5]}]')
  const [yaml, json] = [join(folder, 'broken.yaml'), join(folder, 'broken.json')]
  writeFileSync(yaml, 'known:\n  - requirement: list.shape\n   reason: "later"\n')
  writeFileSync(json, '{"tables": [\n  {"name": "posts",}\n]}')

  it.each<[string, string[], RegExp]>([
    ['an unknown flag', ['--sede', '1'], /unknown option '--sede'[\s\S]*did you mean --seed/i],
    ['a bad value', ['--level', 'maybe'], /must be MUST, SHOULD or MAY/],
    [
      'a selection of nothing',
      ['--only', 'record.idd'],
      /"record.idd" matches no requirement[\s\S]*did you mean record.id\?/,
    ],
    [
      'a dead port',
      ['--base-url', 'http://127.0.0.1:9'],
      /is not reachable \(ECONNREFUSED\)[\s\S]*http:\/\/127\.0\.0\.1:9[\s\S]*next/,
    ],
    ['a missing target file', ['--target', 'nowhere.json'], /cannot be read \(ENOENT\)[\s\S]*nowhere\.json/],
    [
      'an unknown key in the target file',
      ['--target', file],
      /unknown key "tabels"[\s\S]*did you mean "tables"/,
    ],
    [
      'another spelling of this machine',
      ['--base-url', 'http://0.0.0.0:1'],
      /use --base-url http:\/\/127\.0\.0\.1:1$/m,
    ],
    ['a remote target without permission', ['--base-url', 'http://192.0.2.1'], /--allow-remote-writes/],
    [
      'a secret among the arguments',
      ['--header', 'X-Api-Key: abc'],
      /must not contain a secret[\s\S]*X-Api-Key:\$NAME/,
    ],
    ['a header of the checks', ['--header', 'Authorization: abc'], /must not be Authorization/],
    [
      'a variable that is not set',
      ['--header', 'X-Api-Key:$NOBODY_SET_THIS'],
      /variable for \$NOBODY_SET_THIS is not set/,
    ],
    ['a path that is none', ['--only', 'list.shape', '--seed', '1', '--path', 'x'], /"x" is not the path/],
    ['a path without its seed', ['--only', 'list.shape', '--path', '0:1'], /add --seed/],
    [
      'a report that has nowhere to go, before anything is asked',
      ['--base-url', 'http://127.0.0.1:9', '--report', 'json=nowhere/report.json'],
      /the report cannot be written \(ENOENT\)[\s\S]*--report json=nowhere\/report\.json/,
    ],
    [
      'a profile that has nowhere to go, before anything is asked',
      ['--base-url', 'http://127.0.0.1:9', '--write-profile', 'nowhere/own.yaml'],
      /the profile cannot be written \(ENOENT\)[\s\S]*--write-profile nowhere\/own\.yaml/,
    ],
    [
      'a coverage that has nowhere to go, before anything is passed on',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--coverage', 'nowhere/coverage.json'],
      /the coverage cannot be written \(ENOENT\)[\s\S]*--coverage nowhere\/coverage\.json/,
    ],
    [
      'a form of report that there is not',
      ['--report', 'junitt=x.xml'],
      /unknown format "junitt"[\s\S]*did you mean "junit"\?/i,
    ],
    [
      'two reports to one place',
      ['--report', 'json=-', '--report', 'junit=-'],
      /two reports have the same destination: stdout/,
    ],
    ['an unknown profile', ['--profile', 'standart'], /did you mean standard\?/],
    ['an unknown requirement', ['explain', 'list.shap'], /did you mean list.shape\?/],
    [
      'an unknown requirement of an area',
      ['explain', 'batch.zzzzzzzzzzzz'],
      /`conformance explain batch` shows/,
    ],
    [
      'the beginning of several ids',
      ['explain', 'batch.upsert'],
      /begin with it: batch\.upsert-creates, batch\.upsert-/,
    ],
    [
      'the beginning of an id',
      ['explain', 'batch.rejected'],
      /did you mean batch\.rejected-changes-nothing\?/,
    ],
    [
      'a ready file that has nowhere to go',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--ready-file', 'nowhere/ready'],
      /the ready file cannot be written \(ENOENT\)[\s\S]*--ready-file nowhere\/ready/,
    ],
    [
      'a report without a file',
      ['--report', 'junit'],
      /--report must have the form junit=FILE, such as junit=junit\.xml/,
    ],
    [
      'a report in a mistyped format without a file',
      ['--report', 'htlm'],
      /must have the form json=FILE, such as json=report\.json\. Did you mean "html"\?/,
    ],
    [
      'a comparison without a file',
      ['compare', 'a.json', 'b.json', '--report', 'markdown='],
      /must have the form markdown=FILE, such as markdown=report\.md/,
    ],
    [
      'an upstream with the prefix',
      ['proxy', '--upstream', 'http://127.0.0.1:9/base/api/v1/'],
      /ends with \/api\/v1, but .*\n {2}at .*\n {2}next {2}remove it: --upstream http:\/\/127\.0\.0\.1:9\/base\n/,
    ],
    [
      'an upstream with another prefix',
      ['proxy', '--prefix', '/api', '--upstream', 'http://127.0.0.1:9/api'],
      /the upstream ends with \/api, .*\n.*\n {2}next {2}remove it: --upstream http:\/\/127\.0\.0\.1:9\n/,
    ],
    [
      'a baseline that is a folder',
      ['baseline', 'update', '--report', report, '--baseline', folder],
      /the baseline cannot be read \(EISDIR\)[\s\S]*--baseline /,
    ],
    [
      'a baseline that is something else',
      ['baseline', 'update', '--report', report, '--baseline', list],
      /the baseline has no array "known"[\s\S]*--baseline/,
    ],
    [
      'a report of something else',
      ['baseline', 'update', '--report', odd, '--baseline', 'nowhere/known.yaml'],
      /the report cannot be read \(findings\[0\] is not a finding\)[\s\S]*--report /,
    ],
    [
      'a coverage of something else',
      ['validate', file, '--coverage', file],
      /the coverage cannot be added to the file: it is not a coverage file/,
    ],
    [
      'tables that are none',
      ['validate', file, '--tables', list],
      /the table definitions cannot be read: Table 0 must be an object[\s\S]*--tables /,
    ],
    [
      'fields that are none',
      ['validate', file, '--tables', fields],
      /"fields" of table "x" must be an array; found/,
    ],
    [
      'a field that is none',
      ['proxy', '--upstream', 'http://127.0.0.1:9', '--tables', field],
      /"(?:fields\.0|name)" of (?:field 0 of )?table "x" (?:must be an object|is missing)/,
    ],
    ...(
      [
        ['a target file', ['--target', yaml]],
        ['a baseline', ['--baseline', yaml]],
        ['a profile', ['--profile', yaml]],
        ['a data file', ['serve', '--data', yaml]],
        ['tables for a description', ['openapi', '--tables', yaml]],
        ['tables for a validator', ['validate', file, '--tables', yaml]],
        ['a baseline to update', ['baseline', 'update', '--report', report, '--baseline', yaml]],
      ] as const
    ).map(
      ([what, args]) =>
        [`a syntax error in ${what}`, [...args], /syntax error: [^\n]*\n {2}at .*broken\.yaml:3:\d+\n/] as [
          string,
          string[],
          RegExp,
        ],
    ),
    [
      'a syntax error in a data file in JSON',
      ['serve', '--data', json],
      /syntax error: expected a key in double quotes, found \}\n {2}at .*broken\.json:2:20\n/,
    ],
    [
      'an argument instead of an option',
      ['serve', 'posts.yaml'],
      /"posts\.yaml"[\s\S]*did you mean --data posts/,
    ],
    ['one argument too many', ['explain', 'list.shape', 'list.page'], /unexpected argument "list\.page"/],
    [
      'a baseline that has nowhere to go',
      ['baseline', 'update', '--report', report, '--baseline', 'nowhere/known.yaml'],
      /the baseline cannot be written \(ENOENT\)[\s\S]*--baseline nowhere\/known\.yaml/,
    ],
  ])(
    'exit 2 for %s',
    async (_name, args, message) => {
      const { code, out, err } = await commandInProcess(args)
      expect(err).toMatch(/^record-auth-conformance \d/)
      expect(err).toMatch(message)
      expect(out.includes('    at ')).toBe(false)
      expect(code).toBe(2)
    },
    60_000,
  )

  it.each([
    [['--sede', '1']],
    [['--only', 'record.idd']],
    [['--target', 'nowhere.json']],
    [['serve', '--data', yaml]],
  ])(
    'end a process in the same way: %j',
    async (args) => {
      const ended = await conformance(args)
      expect(ended).toEqual(await commandInProcess(args))
      expect(ended.code).toBe(2)
    },
    60_000,
  )
})
