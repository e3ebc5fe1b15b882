/**
 * fast-check with one seed, for the tests of the project: anyone who sees one fail sees the same example again, and a
 * change that has nothing to do with it never meets a new one.
 *
 * @module
 */

import fc from 'fast-check'

fc.configureGlobal({ seed: 20_261_122 })

export { fc }
