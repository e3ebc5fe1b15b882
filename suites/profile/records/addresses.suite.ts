/** The email, url and editor fields (standard profile, gap `fields.types`). */

import { check } from '../../../harness/check.ts'
import { expectCasts } from './casts.ts'
import { expectRejected } from './expect-rejected.ts'

check('email.format', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'email',
    accepted: ['anna.b+c@mail.example.com'],
    rejected: ['anna', 'a@b', 'x@localhost', '@example.com', 'a b@example.com'],
    code: 'validation_is_email',
  }),
)

check('email.keeps-case', (context) =>
  expectCasts(context, 'email', [['Anna.B@Example.COM', 'Anna.B@Example.COM']]),
)

check('email.only-domains', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'domain',
    accepted: ['a@example.com', ''],
    rejected: ['a@example.org', 'a@sub.example.com'],
    code: 'validation_email_domain_not_allowed',
  }),
)

check('email.except-domains', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'notdomain',
    accepted: ['a@example.com', 'a@sub.example.org'],
    rejected: ['a@example.org'],
    code: 'validation_email_domain_not_allowed',
  }),
)

check('url.format', (context) =>
  expectRejected(context, {
    role: 'everything',
    field: 'url',
    accepted: ['https://example.com/a?b=c#d', 'example.com', 'http://localhost:80/x'],
    rejected: ['localhost', '/x', 'javascript:alert(1)', 'http://exa mple.com', 'gopher://example.com'],
    code: 'validation_invalid_url',
  }),
)

check('url.except-domains', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'notlink',
    accepted: ['https://example.com/a', 'https://sub.example.org'],
    rejected: ['https://example.org/a', 'https://example.org'],
    code: 'validation_url_domain_not_allowed',
  }),
)

check('url.only-domains', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'link',
    accepted: ['https://example.com/a'],
    rejected: ['https://example.org/a', 'https://sub.example.com'],
    code: 'validation_url_domain_not_allowed',
  }),
)

check('editor.keeps-markup', (context) => {
  const html = '<p onclick="x()">a &amp; b</p><script>1 < 2</script>\n'
  return expectCasts(context, 'editor', [
    [html, html],
    [7, '7'],
    [['a'], ''],
  ])
})

check('editor.max-size', (context) =>
  expectRejected(context, {
    role: 'constrained',
    field: 'tiny',
    // 20 bytes and 21, then 10 characters of two bytes and 11.
    accepted: ['x'.repeat(20), 'é'.repeat(10)],
    rejected: ['x'.repeat(21), 'é'.repeat(11)],
    code: 'validation_content_size_limit',
  }),
)
