/** All tests of the console in one file, so that they share one browser and one server: a start of each costs most. */

import './accessible.ts'
import './edit.ts'
import './keys-and-clock.ts'
import './mail.ts'
import './realtime.ts'
import './records.ts'
import './repeat.ts'
import './requests.ts'
import './state.ts'
