/**
 * The relative links of Markdown pages that lead nowhere.
 *
 * @module
 */

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { anchorsOf, withoutFences } from '../../scripts/support/anchors-of.ts'

/**
 * @param pages paths in the folder; a link that leaves the folder is broken
 * @returns `page: link` for each relative link whose file or anchor does not exist
 */
export function brokenLinks(folder: string, pages: readonly string[]): string[] {
  // Hundreds of links lead to the same pages.
  const known = new Map<string, Set<string>>()
  const anchorsIn = (file: string) => {
    const anchors = known.get(file) ?? anchorsOf(readFileSync(file, 'utf8'))
    known.set(file, anchors)
    return anchors
  }
  return pages.flatMap((page) => {
    const whole = join(folder, page)
    return relativeLinks(readFileSync(whole, 'utf8'))
      .filter((link) => !leadsSomewhere(folder, whole, link, anchorsIn))
      .map((link) => `${page}: ${link}`)
  })
}

function leadsSomewhere(
  folder: string,
  from: string,
  link: string,
  anchorsIn: (file: string) => ReadonlySet<string>,
): boolean {
  const [path = '', anchor] = link.split('#')
  const target = path === '' ? from : resolve(dirname(from), decodeURIComponent(path))
  if (!target.startsWith(resolve(folder)) || !existsSync(target)) return false
  return anchor === undefined || !target.endsWith('.md') || anchorsIn(target).has(anchor)
}

/** Targets of links, images and reference definitions, without those that begin with a scheme. */
export function relativeLinks(markdown: string): string[] {
  const text = withoutFences(markdown).replaceAll(/(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g, (code) =>
    // Code may be the label of a link, but contains none.
    code.replaceAll(/[[\]()]/g, ' '),
  )
  const inline = [...text.matchAll(/\]\(\s*<?([^)\s>]+)/g)]
  const defined = [...text.matchAll(/^ {0,3}\[[^\]]+\]:\s*<?([^\s>]+)/gm)]
  const html = [...text.matchAll(/<(?:a|img)\s[^>]*(?:href|src)="([^"]+)"/g)]
  return [...inline, ...defined, ...html]
    .map(([, link = '']) => link)
    .filter((link) => !/^(?:[a-z][a-z+.-]*:|\/\/)/i.test(link))
}
