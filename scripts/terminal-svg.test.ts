import { expect, it } from 'vitest'
import { createPaint } from '../harness/report/paint.ts'
import { terminalSvg } from './terminal-svg.ts'

const paint = createPaint(true)

it('draws text as text, in its colors, and nothing that a browser would run', () => {
  const svg = terminalSvg([`${paint.red('✗')} <list> ${paint.dim('&')}`, 'plain'], 40, 'a run')
  expect(svg).toContain('<tspan fill="#ff8f8a">✗</tspan> &lt;list&gt; <tspan fill="#a3abb5">&amp;</tspan>')
  expect(svg).toContain('>plain</text>')
  expect(svg).toContain('aria-label="a run"')
})

it('cuts what is wider than the terminal', () => {
  const svg = terminalSvg([`${'a'.repeat(8)}${paint.bold('b'.repeat(8))}`], 10, 'a run')
  expect(svg).toContain(`${'a'.repeat(8)}<tspan font-weight="700">b…</tspan>`)
})
