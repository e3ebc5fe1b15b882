import {
  creation,
  type ExpensiveRequest,
  field,
  file,
  filtered,
  form,
  hops,
  multipart,
  numbered,
  repeated,
  stuffed,
} from './expensive-request.ts'
import { asForm, id } from './world.ts'

/** What the security review found, in its order. */
export const found: readonly ExpensiveRequest[] = [
  filtered('six hops, 30 records', `id="${id(1)}" && ${hops}.title != "x"`, 400, '', 'few'),
  filtered('six hops with ?~', `id="${id(1)}" && ${hops}.title ?~ "no such"`, 400, '', 'few'),
  filtered(
    'a pattern of 3,000 letters against a text of 4 MB',
    `page ~ "%_${'a'.repeat(3000)}b%"`,
    400,
    '',
    'docs',
  ),
  creation('2,000,000 keys', 400, () => `{${numbered(2_000_000, (at) => `"k${at}":1`)}}`),
  creation('32 MB of a&a&', 400, () => stuffed('', 'a&', 'a'), { headers: asForm }),
  creation('10,000,000 empty lists under an unknown key', 400, () => stuffed('{"x":[', '[],', '[]]}')),
  creation('500,000 tiny files', 400, () => form(repeated(300_000, () => file('files', 'a', 'x'))), {
    headers: multipart,
  }),
  creation('600,000 parts', 400, () => form(repeated(450_000, () => field('a', 'x'))), {
    headers: multipart,
  }),
  creation('a number of 12,000,000 digits', 400, () => `{"n":${'9'.repeat(12_000_000)}}`),
  creation(
    'a string of 12,000,000 digits at sign-in',
    400,
    () => `{"identity":"${'9'.repeat(12_000_000)}"}`,
    {
      path: 'people/auth-with-password',
    },
  ),
]
