import { describe, expect, it } from 'vitest'
import { pageStyle } from './page-style.ts'
import { urgency } from './tally.ts'

/** The two values of a variable: in a light and in a dark page. */
function colorsOf(name: string): string[] {
  const [, light = '', dark = ''] =
    new RegExp(`--${name}: light-dark\\((#\\w{6}), (#\\w{6})\\)`).exec(pageStyle) ?? []
  return [light, dark]
}

/** The variable with the color of a part of the bar. */
function variableOf(status: string): string {
  return new RegExp(`rect\\.${status} \\{ fill: var\\(--(\\w+)\\)`).exec(pageStyle)?.[1] ?? 'none'
}

function channels(color: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16) / 255)
}

/** Relative luminance, as WCAG defines it. */
function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = channels(color).map((part) =>
    part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4,
  )
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a)
  return (high + 0.05) / (low + 0.05)
}

describe.each([
  ['light', 0],
  ['dark', 1],
])('on a %s page', (_, theme) => {
  it('each status has a color of its own', () => {
    const colors = urgency.map((status) => colorsOf(variableOf(status))[theme] ?? '')
    for (const [at, one] of colors.entries())
      for (const other of colors.slice(at + 1)) {
        const apart = Math.hypot(...channels(one).map((part, index) => part - (channels(other)[index] ?? 0)))
        expect(apart, `${one} and ${other}`).toBeGreaterThan(0.2)
      }
  })

  it.each(['good', 'bad', 'wary', 'held', 'other', 'unmet'])(
    'the word of a status is legible: %s',
    (name) => {
      const color = colorsOf(name)[theme] ?? ''
      expect(contrast(color, colorsOf('paper')[theme] ?? '')).toBeGreaterThan(4.5)
      expect(contrast(color, colorsOf('panel')[theme] ?? '')).toBeGreaterThan(4.5)
    },
  )
})
