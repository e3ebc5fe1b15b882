import { describe, expect, it } from 'vitest'
import { type CheckedSettings, limitsIn, readSettings } from './read-settings.ts'

const read = (given: object) => readSettings(given as CheckedSettings)

describe('the settings of a data file', () => {
  it('have the default where the living family has 0', () => {
    expect(read({ batch: { enabled: true, maxBodySize: 0 } }).settings).toEqual({ batch: { enabled: true } })
    expect(read({ batch: { maxBodySize: 9 } }).settings).toEqual({ batch: { maxBodySize: 9 } })
  })

  it('take the sender from "meta", unless "mail" has one', () => {
    const meta = { appName: 'Family', senderName: 'Family', senderAddress: '', hideControls: true }
    const { settings } = read({ meta, mail: { sender: { senderName: 'Own' } } })
    expect(settings).toEqual({ mail: { sender: { appName: 'Family', senderName: 'Own' } } })
  })

  it('report what has no effect', () => {
    expect(read({ smtp: {}, logs: {} })).toEqual({
      settings: {},
      notices: ['Settings without effect here: smtp, logs.'],
    })
  })

  it.each<[object, RegExp]>([
    [{ bach: {} }, /"bach"\. Did you mean "batch"/],
    [{ mail: { smpt: {} } }, /"mail\.smpt"\. Did you mean "smtp"/],
    [{ mail: { smtp: { hots: 'a' } } }, /"mail\.smtp\.hots"\. Did you mean "host"/],
    [{ meta: { appNme: 'a' } }, /"meta\.appNme"\. Did you mean "appName"/],
    [{ rateLimits: { rules: [{ lable: 'a' }] } }, /"rateLimits\.rules\.lable"\. Did you mean "label"/],
  ])('are rejected with the nearest name: %j', (given, message) => {
    expect(() => read(given)).toThrow(message)
  })

  it('have no limit where they say so', () => {
    expect(limitsIn({ limits: { steps: 'Infinity', parts: 5 } })).toEqual({
      steps: Number.POSITIVE_INFINITY,
      parts: 5,
    })
    expect(limitsIn({})).toEqual({})
  })
})
