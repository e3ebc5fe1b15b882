/**
 * The Chromium of this machine, headless, driven by playwright-core.
 *
 * @module
 */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, BrowserContextOptions } from 'playwright-core'

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A page of a test is small, and has one origin: further processes cost more than the test.
  '--process-per-site',
  '--renderer-process-limit=1',
  '--disable-features=SpareRendererForSitePerProcess,PaintHolding,MediaRouter,OptimizationHints',
]

/** Where Chromium is; undefined if there is none. `CHROMIUM` names it if it is elsewhere. */
export const chromiumPath: string | undefined = [process.env.CHROMIUM, '/usr/bin/chromium'].find(
  (path) => path !== undefined && path !== '' && existsSync(path),
)

export interface OpenBrowser {
  context: BrowserContext
  close(): Promise<void>
}

/** A browser with its own profile, which is deleted when it is closed. */
export async function openBrowser(options: BrowserContextOptions = {}): Promise<OpenBrowser> {
  if (chromiumPath === undefined) throw new Error('There is no Chromium here: set CHROMIUM to its path.')
  const { chromium } = await import('playwright-core')
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'))
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: chromiumPath,
    args: flags,
    locale: 'en-US',
    ...options,
  })
  return {
    context,
    async close() {
      await context.close()
      rmSync(profile, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
