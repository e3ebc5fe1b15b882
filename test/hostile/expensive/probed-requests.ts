/** Requests of our own, by what they burden. */

import {
  back,
  batch,
  creation,
  type ExpensiveRequest,
  entryPath,
  file,
  filtered,
  form,
  hops,
  listed,
  multipart,
  numbered,
  repeated,
  stuffed,
} from './expensive-request.ts'
import { asForm, asJson, id, megabyte, mostBytes } from './world.ts'

const comparisons = (count: number, one: string, join = '||') =>
  Array.from({ length: count }, () => one).join(join)

const filters: readonly ExpensiveRequest[] = [
  filtered('200 comparisons of a text', comparisons(200, 'title="x"'), 200),
  filtered('200 comparisons that all hold', comparisons(200, 'n>=0', '&&'), 200),
  filtered('200 searches', comparisons(200, 'title~"z"'), 200),
  filtered('200 searches in long texts', comparisons(200, 'long~"z"'), 400),
  filtered('200 patterns in long texts', comparisons(200, 'long~"%b_c%"'), 400),
  filtered('a pattern that nearly fits everywhere', `long ~ "%${'a_'.repeat(800)}b%"`, 400),
  filtered('a pattern of many wildcards', `long ~ "${'%a'.repeat(1500)}%b"`, 200),
  filtered('a pattern of single characters', `long ~ "${'_'.repeat(3000)}%b"`, 200),
  filtered('a column as pattern', 'long ~ long', 200),
  filtered('large columns as patterns', 'title ~ page && page !~ title || page ~ page', 200, '', 'docs'),
  filtered('a column of 1,000,000 wildcards as pattern', 'page ~ page', 400, '', 'wild'),
  filtered('six hops', `${hops}.title != "x"`, 400),
  filtered('six hops, any', `${hops}.title ?= "no such"`, 400),
  filtered('six hops back', `${back}.title ?= "no such"`, 400),
  filtered('six hops there and back', `${'kids.notes_via_kids.'.repeat(3)}title != "x"`, 400),
  filtered('six hops sought by an id', `${hops}.id ?= "${id(5)}"`, 400),
  filtered('six hops back sought by an id', `${back}.id ?= "${id(5)}"`, 400),
  filtered('two long paths compared', `kids.kids.kids.title = kids.up.kids.kids.title`, 400),
  filtered(
    '100 different paths',
    numbered(100, (at) => `kids.kids.n ?> ${at}`, '&&'),
    400,
  ),
  filtered(
    'parts that share no relation',
    comparisons(60, 'kids.title ?= "x" && up.kids.title ?= "x"', '||'),
    400,
  ),
  filtered('each and length', comparisons(50, 'tags:each != "x" && kids:length > 1', '&&'), 200),
  filtered('each of both sides', comparisons(100, 'kids:each ?= tags:each'), 400),
  filtered('lower case of all', comparisons(150, 'title:lower = "x"'), 200),
  filtered('lower case of a large text', comparisons(50, 'page:lower = "x"'), 400, '', 'docs'),
  filtered('paths into json', comparisons(150, 'data.a.b.1 = "y"'), 200),
  filtered('a json path of 500 steps', `data.${'a.'.repeat(500)}a = 1`, 200),
  filtered('json as a text', comparisons(150, 'data = "y"'), 400),
  filtered('large json as a text', comparisons(100, 'data ~ "y"'), 400, '', 'docs'),
  filtered('distances', comparisons(60, 'geoDistance(place.lon,place.lat,1,2)<0'), 200),
  filtered('distances through relations', 'geoDistance(kids.kids.place.lon,kids.up.place.lat,1,2)<0', 200),
  filtered('times', comparisons(60, 'strftime("%Y-%m-%d %J %s",at)="x"'), 200),
  filtered(
    'times with all modifiers',
    comparisons(15, `strftime("%Y",at,${comparisons(8, '"start of month"', ',')})="x"`),
    200,
  ),
  filtered('a time format of 3,000 characters', `strftime("${'%J'.repeat(1500)}",at)="x"`, 400),
  filtered('1,000 parentheses', `${'('.repeat(1000)}id="x"${')'.repeat(1000)}`, 200),
  filtered('1,700 parentheses that are not closed', `${'('.repeat(3400)}`, 400),
  filtered('a name of 3,400 characters', `${'a'.repeat(3400)} = 1`, 400),
  filtered('a path of 1,700 names', `${'a.'.repeat(1700)}a = 1`, 400),
  filtered('functions in functions', `${'geoDistance('.repeat(280)}`, 400),
  filtered('a number of 3,000 digits', `n > ${'9'.repeat(3000)}`, 200),
  filtered('a comment of 3,000 characters', `id="x" //${'/'.repeat(3000)}`, 200),
  filtered('escapes', `title="${'\\'.repeat(3000)}"`, 200),
  filtered('text of half pairs', `title~"${'\u{1f418}'.repeat(800)}"`, 200),
  listed('a filter of 1 MB', `filter=${'('.repeat(1_000_000)}`, 400),
  {
    ...filtered('superuser: every record against every record', '@collection.notes.title ?= title', 400),
    superuser: true,
  },
  {
    ...filtered('superuser: two aliases', '@collection.notes:a.n ?> @collection.notes:b.n', 400),
    superuser: true,
  },
  { ...filtered('superuser: six hops', `${hops}.title != "x"`, 400), superuser: true },
]

const parameters: readonly ExpensiveRequest[] = [
  listed('all records a thousand at a time', 'perPage=1000', 200),
  listed('sorted by eight keys', 'perPage=1000&sort=up.title,up.long,-long,n,title,-at,data,place', 200),
  listed(
    'sorted by eight simple keys, last page',
    'perPage=1000&page=10&sort=done,at,title,mail,n,-done,-at,id',
    200,
  ),
  listed('sorted by long equal texts', 'perPage=1000&page=9&sort=up.long,-up.long', 400),
  listed('sorted through six relations', `perPage=1000&sort=${hops}.title`, 200),
  listed('sorted back through six relations', `perPage=1000&sort=${back}.title`, 200),
  listed('sorted at random', 'perPage=1000&page=10&sort=@random', 200),
  listed('sorted by a large json', 'sort=data,page', 200, 'docs'),
  listed('100,000 sort keys', `sort=${'n,'.repeat(100_000)}n`, 400),
  listed('a sort key of 1 MB', `sort=${'n'.repeat(1_000_000)}`, 400),
  listed('a page of 1 MB of digits', `page=${'9'.repeat(1_000_000)}`, 400),
  listed('a page of 1 MB of zeros', `page=${'0'.repeat(1_000_000)}1`, 200),
  listed('nested expand', `perPage=1000&expand=${'kids.'.repeat(5)}kids`, 400),
  listed('nested expand back', `perPage=1000&expand=${'notes_via_up.'.repeat(5)}notes_via_up`, 400),
  listed('expand there and back', `perPage=100&expand=up.notes_via_up.up.notes_via_up`, 400),
  listed('40,000 records under expand', 'perPage=1000&expand=kids', 200),
  listed('expand of 200,000 paths', `perPage=1000&expand=${numbered(100_000, (at) => `a${at}`)}`, 400),
  listed('expand of one path 200,000 times', `perPage=1000&expand=${'kids,'.repeat(180_000)}up`, 400),
  listed('expand of 1 MB of dots', `expand=${'.'.repeat(1_000_000)}`, 200),
  listed('150,000 fields', `perPage=1000&fields=${numbered(150_000, (at) => `a${at}`)}`, 400),
  listed('fields 500,000 levels deep', `perPage=1000&fields=${'a.'.repeat(500_000)}a`, 400),
  listed('fields of 1 MB of parentheses', `fields=${'('.repeat(1_000_000)}`, 400),
  listed('fields of 1 MB of colons', `fields=${'a:'.repeat(500_000)}`, 400),
  listed('excerpts of large texts', 'fields=page:excerpt(200,true)', 200, 'docs'),
  listed('an excerpt of everything', 'fields=page:excerpt(999999999)', 200, 'docs'),
  listed('large records as they are', '', 200, 'docs'),
  listed('parts of large json', 'fields=data.k1,data.k2', 200, 'docs'),
  listed(
    '200,000 query parameters',
    numbered(120_000, (at) => `a${at}=1`, '&'),
    400,
  ),
  listed('one parameter 500,000 times', 'a&'.repeat(450_000), 400),
  listed('1 MB of percent signs', `a=${'%'.repeat(1_000_000)}`, 200),
  listed('1 MB of escapes', `a=${'%41'.repeat(330_000)}`, 200),
  listed('1 MB of plus signs', `a=${'+'.repeat(1_000_000)}`, 200),
  { ...listed('a table name of 1 MB', '', 404), path: `${'a'.repeat(1_000_000)}/records` },
  { ...listed('an id of 1 MB', '', 404), path: `notes/records/${'a'.repeat(1_000_000)}` },
  { ...listed('an id of 300,000 escapes', '', 404), path: `notes/records/${'%41'.repeat(300_000)}` },
  { ...listed('a path of 300,000 segments', '', 404), path: `/api/v1/${'a/'.repeat(300_000)}` },
]

const headers: readonly ExpensiveRequest[] = [
  {
    ...listed('an Authorization header of 1 MB', '', 200),
    headers: { authorization: 'a'.repeat(1_000_000) },
  },
  {
    ...listed('a token whose payload is 1 MB deep', '', 200),
    headers: {
      authorization: `e30.${Buffer.from('['.repeat(700_000)).toString('base64url')}.e30`,
    },
  },
  {
    ...listed('a token whose payload has 90,000 keys', '', 200),
    headers: {
      authorization: `e30.${Buffer.from(`{${numbered(60_000, (at) => `"k${at}":1`)}}`).toString('base64url')}.e30`,
    },
  },
  { ...listed('cookies of 1 MB', '', 200), headers: { cookie: 'a=b; '.repeat(200_000) } },
  { ...listed('a media type of 1 MB', '', 200), headers: { 'content-type': `a/${';'.repeat(1_000_000)}` } },
  creation('a boundary of 1 MB', 400, () => '--b--', {
    headers: { 'content-type': `multipart/form-data; boundary=${'b'.repeat(1_000_000)}` },
  }),
  creation('a media type of 500,000 parameters', 400, () => '--b--', {
    headers: { 'content-type': `multipart/form-data${'; a="\\\\"'.repeat(100_000)}` },
  }),
]

const bodies: readonly ExpensiveRequest[] = [
  creation('a string of 32 MB for a text', 400, () => stuffed('{"title":"', 'a', '"}')),
  creation('a string of 32 MB of two-byte characters', 400, () =>
    stuffed('{"title":"', 'é', '"}', 21 * megabyte),
  ),
  creation('a string of 32 MB of escapes', 400, () => stuffed('{"title":"', '\\u0041', '"}')),
  creation('a string of 32 MB of half pairs', 400, () => stuffed('{"title":"', '\\ud800', '"}')),
  creation('a text of 10 MB against a pattern', 400, () => stuffed('{"word":"', 'a', 'b"}', 10 * megabyte)),
  creation('an email address of 32 MB', 400, () => stuffed('{"mail":"', 'a', '@example.com"}')),
  creation('an email address of 16,000,000 dots', 400, () => stuffed('{"mail":"', 'a.', '@example.com"}')),
  creation('a domain of 32 MB', 400, () => stuffed('{"mail":"a@', 'a-', '.com"}')),
  creation('a web address of 32 MB', 400, () => stuffed('{"site":"http://', 'a', '.com"}')),
  creation('a date of 32 MB', 200, () => stuffed('{"at":"2024-01-02 03:04:05.', '1', 'Z"}')),
  creation('a date of 32 MB of spaces', 200, () => stuffed('{"at":"2024-01-02', ' ', '"}')),
  creation('a number in a string of 32 MB', 200, () => stuffed('{"n":"', '9', '"}')),
  creation('a number in a string of 32 MB with groups', 200, () => stuffed('{"n":"', '9_', '9"}')),
  creation('a number of 32 MB of zeros', 400, () => stuffed('{"n":0.', '0', '1}')),
  creation('a number with a long exponent', 400, () => stuffed('{"n":1e-', '9', '}')),
  creation('many numbers too large', 400, () => stuffed('{"data":[', '1e999,', '1]}', 2 * megabyte)),
  creation('json that is spelled in a string', 400, () => stuffed('{"data":"', '[', '"}')),
  creation('digits that are spelled in a string', 400, () => stuffed('{"data":"', '9', '"}')),
  creation('json of 1 MB, lists in lists', 200, () => `{"data":${'['.repeat(400)}${']'.repeat(400)}}`),
  creation('500 levels of lists', 400, () => `{"data":${'['.repeat(10_000_000)}${']'.repeat(10_000_000)}}`),
  creation('json of 1 MB, 500,000 numbers', 200, () => stuffed('{"data":[', '1,', '1]}', megabyte)),
  creation(
    'json of 1 MB, 49,000 keys',
    200,
    () => `{"data":{${numbered(49_000, (at) => `"key-${at}":"value"`)}}}`,
  ),
  creation('json of 80,000 keys', 400, () => `{"data":{${numbered(80_000, (at) => `"k${at}":1`)}}}`),
  creation('json of 1 MB in a form', 200, () => `data=${encodeURIComponent(`[${'1,'.repeat(500_000)}1]`)}`, {
    headers: asForm,
  }),
  creation('1,000,000 tags', 400, () => stuffed('{"tags":[', '"t1",', '"t1"]}')),
  creation('1,000,000 different tags', 400, () => `{"tags":[${numbered(1_000_000, (at) => `"x${at}"`)}]}`),
  creation('100,000 different tags', 400, () => `{"tags":[${numbered(100_000, (at) => `"x${at}"`)}]}`),
  creation('100,000 relations', 400, () => `{"kids":[${numbered(100_000, (at) => `"${id(at)}"`)}]}`),
  creation('100,000 keys that nobody knows', 400, () => `{${numbered(400_000, (at) => `"k${at}":1`)}}`),
  creation('one key 3,000,000 times', 400, () => stuffed('{', '"title":"",', '"title":"x"}')),
  creation('a key of 32 MB', 200, () => stuffed('{"', 'k', '":1}')),
  creation('32 MB of spaces', 400, () => ' '.repeat(mostBytes)),
  creation('32 MB that is no JSON at its end', 400, () => stuffed('{"title":"', 'a', '"')),
  creation('an editor text of 5 MB', 200, () => stuffed('{"page":"', 'a', '"}', 5 * megabyte)),
  creation('a file name in a body, 32 MB', 400, () => stuffed('{"files":["', 'a', '"]}')),
  creation('a web form of 32 MB of digits', 200, () => stuffed('n=', '9', ''), { headers: asForm }),
  creation('a web form of 32 MB of escapes', 400, () => stuffed('title=', '%41', ''), { headers: asForm }),
  creation('a web form of 32 MB of percent signs', 400, () => stuffed('title=', '%', ''), {
    headers: asForm,
  }),
  creation('a web form, one name 4,000,000 times', 400, () => stuffed('', 'title=1&', ''), {
    headers: asForm,
  }),
  creation('100,000 payloads', 400, () => '@jsonPayload={}&'.repeat(100_000), { headers: asForm }),
  creation('files by number', 400, () => form(repeated(2000, (at) => file('files', `${at}.txt`, 'x'))), {
    headers: multipart,
  }),
  creation('a file name of 60,000 characters', 400, () => form([file('files', 'aB'.repeat(60_000), 'x')]), {
    headers: multipart,
  }),
  creation('a file name of 30,000 characters', 200, () => form([file('files', 'aB.'.repeat(10_000), 'x')]), {
    headers: multipart,
  }),
  creation(
    'a file of 5 MB of json',
    200,
    () => form([file('files', 'a.json', `[${'1,'.repeat(2_500_000)}1]`)]),
    {
      headers: multipart,
    },
  ),
  creation(
    'a file of 5 MB of comments',
    200,
    () => form([file('files', 'a.html', '<!--x-->'.repeat(600_000))]),
    {
      headers: multipart,
    },
  ),
  creation('boundaries that nearly are', 400, () => stuffed('--b\r\n\r\n', '\r\n--', '\r\n--b--'), {
    headers: multipart,
  }),
  creation(
    'a part whose header is 60,000 characters',
    400,
    () => form([`Content-Disposition: form-data${';'.repeat(60_000)}\r\n\r\nx`]),
    {
      headers: multipart,
    },
  ),
]

const accounts: readonly ExpensiveRequest[] = [
  creation('a password of 30 MB', 400, () => stuffed('{"email":"b@example.com","password":"', 'p', '"}'), {
    path: 'people/records',
  }),
  creation(
    'a sign-in with a password of 30 MB',
    400,
    () => stuffed('{"identity":"ann@example.com","password":"', 'p', '"}'),
    {
      path: 'people/auth-with-password',
    },
  ),
  creation(
    'a sign-in with an identity of 30 MB',
    400,
    () => stuffed('{"identity":"', 'p', '","password":"x"}'),
    {
      path: 'people/auth-with-password',
    },
  ),
  creation('a one-time code of 30 MB', 400, () => stuffed('{"otpId":"x","password":"', '1', '"}'), {
    path: 'people/auth-with-otp',
  }),
  creation('a code for an address of 30 MB', 400, () => stuffed('{"email":"', 'a.', 'a@example.com"}'), {
    path: 'people/request-otp',
  }),
  creation('a reset for an address of 30 MB', 400, () => stuffed('{"email":"', 'a', '@example.com"}'), {
    path: 'people/request-password-reset',
  }),
  creation('a token of 30 MB', 400, () => stuffed('{"token":"', 'a.', 'a"}'), {
    path: 'people/confirm-verification',
  }),
  creation('an OAuth code of 30 MB', 403, () => stuffed('{"provider":"x","code":"', 'a', '"}'), {
    path: 'people/auth-with-oauth2',
  }),
  creation(
    'an mfaId of 30 MB',
    200,
    () => stuffed('{"identity":"ann@example.com","password":"secret-1234","mfaId":"', 'a', '"}'),
    {
      path: 'people/auth-with-password',
    },
  ),
]

const writes: readonly ExpensiveRequest[] = [
  batch('50 heavy rules', 400, () =>
    Array.from({ length: 50 }, () => ({
      method: 'POST',
      url: entryPath('ruled'),
      body: { title: 'no such' },
    })),
  ),
  {
    name: 'a heavy rule',
    status: 400,
    method: 'PATCH',
    path: `ruled/records/${id(1)}`,
    headers: asJson,
    body: () => '{"title":"y"}',
  },
  batch('50 entries with large expands', 400, () =>
    Array.from({ length: 50 }, (_, at) => ({
      method: 'PATCH',
      url: `${entryPath('notes')}/${id(at)}?expand=kids.kids.kids`,
      body: { title: 'x' },
    })),
  ),
  batch('1,000,000 entries', 400, () => Array.from({ length: 100_000 }, () => null)),
  batch('50 entries with 20,000 headers', 200, () =>
    Array.from({ length: 50 }, () => ({
      method: 'POST',
      url: entryPath('notes'),
      headers: Object.fromEntries(Array.from({ length: 500 }, (_, at) => [`x-${at}`, 'y'])),
      body: { title: 'x' },
    })),
  ),
  batch('50 texts of 600 KB', 400, () =>
    Array.from({ length: 50 }, () => ({
      method: 'POST',
      url: entryPath('notes'),
      body: { title: 'x'.repeat(600_000) },
    })),
  ),
  batch('20 pages of 5 MB', 200, () =>
    Array.from({ length: 20 }, () => ({
      method: 'POST',
      url: entryPath('docs'),
      body: { page: 'x'.repeat(5_000_000) },
    })),
  ),
  batch('50 new accounts at production cost', 200, () =>
    Array.from({ length: 50 }, (_, at) => ({
      method: 'POST',
      url: entryPath('people'),
      body: { email: `n${at}@example.com`, password: 'secret-1234', passwordConfirm: 'secret-1234' },
    })),
  ),
  batch('50 deletions of what thousands refer to', 200, () =>
    Array.from({ length: 10 }, (_, at) => ({ method: 'DELETE', url: `${entryPath('notes')}/${id(at)}` })),
  ),
  {
    name: 'a deletion of what thousands refer to',
    status: 204,
    method: 'DELETE',
    path: `notes/records/${id(3)}`,
  },
]

/** Requests of our own, by what they burden. */
export const probed: Readonly<Record<string, readonly ExpensiveRequest[]>> = {
  filters,
  parameters,
  headers,
  bodies,
  accounts,
  writes,
}
