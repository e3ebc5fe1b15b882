import { expect, it } from 'vitest'
import { hashIn, hashShown } from './hash-in.ts'

const bcrypt = `$2b$12$${'a./9'.repeat(14).slice(0, 53)}`

it.each([
  `hash ${bcrypt} mismatch`,
  `{"hash":"${bcrypt.replaceAll('/', '\\/')}"}`,
  `$6$saltsalt$${'./aZ'.repeat(21)}`,
  '$argon2id$v=19$m=65536,t=3,p=4$c29tZXNhbHQ$RdescudvJCsgt3ub+b8dWA',
  '$scrypt$ln=16,r=8,p=1$aM15713r3Xsvxbi31lqr1Q$nFNh2CVHVjNldFVKDHDlm4',
  '$pbkdf2-sha256$29000$N2YMIWQsBWBMae09x1jrPQ$1t8iyB2A.WF/Z5JZv.lfCIhXXN',
  'pbkdf2_sha256$260000$wJ4kq0sT9xLm$Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0Aa1Ee2Ii3Oo=',
  `scrypt:32768:8:1$wJ4kq0sT9xLm$${'0f3a'.repeat(32)}`,
  `pbkdf2:sha256:600000$wJ4kq0sT$${'0f3a'.repeat(16)}`,
  '{SSHA}Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0',
])('%s contains a hash', (text) => {
  expect(hashIn(text)).toBeDefined()
})

it.each([
  'costs $2a$10$ and $5$',
  'from $5$ to $6$ or $y$',
  'a password of the form $argon2id$ or {SSHA} or pbkdf2_sha256$',
  'scrypt:32768:8:1',
  '{SSHA}',
  '2.5.4 $scrypt$',
  'eyJhbGciOiJIUzI1NiJ9.e30.Yt0Qb3mJ5vK8s2Zc7Rf1Wd6Hn4Xg9Pp0',
])('%s contains none', (text) => {
  expect(hashIn(text)).toBeUndefined()
})

it('looks into headers, but not into ordinary ones', () => {
  expect(hashShown({ text: '{}', headers: { 'x-debug': `hash=${bcrypt}` } })).toBe(bcrypt)
  expect(hashShown({ text: '{}', headers: { etag: bcrypt } })).toBeUndefined()
})
