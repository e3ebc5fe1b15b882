/**
 * The frame of our HTML files: one file that needs nothing else, without a network, and whose content cannot run.
 *
 * @module
 */

import { createHash } from 'node:crypto'
import { escapeHtml } from './finding-html.ts'
import { pageStyle } from './page-style.ts'

export interface HtmlPage {
  title: string
  /** Everything in the body, as HTML. */
  body: string
  /** JavaScript. The page must be readable without it. */
  script: string
  /** CSS in addition to what all pages have. */
  style?: string
}

/** A complete page. Only its own style and script are applied, by their hashes: anything that a server sent remains text. */
export function htmlPage({ title, body, script, style = '' }: HtmlPage): string {
  const css = `${pageStyle}${style}`
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '${hash(css)}'; script-src '${hash(script)}'; base-uri 'none'; form-action 'none'">
<title>${escapeHtml(title)}</title>
<style>${css}</style>
</head>
<body>
${body}
<script>${script}</script>
</body>
</html>
`
}

function hash(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}
