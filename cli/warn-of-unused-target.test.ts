import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { warnOfUnusedTarget } from './warn-of-unused-target.ts'

it('warns where a target file is in the folder and no target is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unused-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => write.mockRestore())
  warnOfUnusedTarget({})
  expect(write).not.toHaveBeenCalled()
  writeFileSync(join(folder, 'conformance.target.yaml'), '')
  warnOfUnusedTarget({ baseUrl: 'http://127.0.0.1:1' })
  warnOfUnusedTarget({ target: 'conformance.target.yaml' })
  expect(write).not.toHaveBeenCalled()
  warnOfUnusedTarget({})
  expect(write.mock.calls.join('')).toMatch(
    /^conformance\.target\.yaml is not used[\s\S]*Add\s--target\sconformance/,
  )
})
