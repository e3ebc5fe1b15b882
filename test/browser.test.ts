/**
 * All tests of pages in a browser, in one file: they share the browser, whose start costs most, and its clipboard, which
 * two of them use.
 */

import './console/accessible.ts'
import './console/edit.ts'
import './console/keys-and-clock.ts'
import './console/mail.ts'
import './console/realtime.ts'
import './console/records.ts'
import './console/repeat.ts'
import './console/requests.ts'
import './console/state.ts'
import './report/html-report.ts'
import './serve/docs-page.ts'
