/**
 * The lines of a terminal as a picture: SVG with the text as text, so that it stays small, sharp and readable by all.
 *
 * @module
 */

import { escapeHtml } from '../harness/report/finding-html.ts'

const cell = { width: 8.4, height: 19 }
const margin = 16
const colors = {
  paper: '#14171a',
  ink: '#e6e8eb',
  dim: '#a3abb5',
  red: '#ff8f8a',
  green: '#6fd08c',
  yellow: '#e8bb5c',
}
/** What the codes of our paint switch on, and those that switch it off. */
const styles: Readonly<Record<string, string>> = {
  '1': 'font-weight="700"',
  '2': `fill="${colors.dim}"`,
  '31': `fill="${colors.red}"`,
  '32': `fill="${colors.green}"`,
  '33': `fill="${colors.yellow}"`,
}
const code = new RegExp(`${String.fromCharCode(27)}\\[(\\d+)m`)

/**
 * @param lines with the codes of our paint
 * @param columns width of the terminal; longer lines are cut, as in a window that does not wrap
 */
export function terminalSvg(lines: readonly string[], columns: number, title: string): string {
  const width = Math.ceil(columns * cell.width + 2 * margin)
  const height = Math.ceil(lines.length * cell.height + 2 * margin)
  const rows = lines.map((line, at) => {
    const y = margin + (at + 0.75) * cell.height
    return `<text x="${margin}" y="${y.toFixed(1)}" xml:space="preserve">${spans(line, columns)}</text>`
  })
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeHtml(title)}">
<rect width="${width}" height="${height}" rx="8" fill="${colors.paper}"/>
<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${colors.ink}">
${rows.join('\n')}
</g>
</svg>
`
}

function spans(line: string, columns: number): string {
  let style = ''
  let left = columns
  // Text and codes in turn.
  return line
    .split(code)
    .map((piece, at) => {
      if (at % 2 === 1) {
        style = styles[piece] ?? ''
        return ''
      }
      const shown =
        piece.length > left ? `${piece.slice(0, Math.max(0, left - 1))}${left > 0 ? '…' : ''}` : piece
      left -= shown.length
      if (shown === '') return ''
      return style === '' ? escapeHtml(shown) : `<tspan ${style}>${escapeHtml(shown)}</tspan>`
    })
    .join('')
}
