import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { unusedTargetFile } from './unused-target-file.ts'

it('warns where a target file is in the folder and no target is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'unused-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder)
  onTestFinished(() => cwd.mockRestore())
  expect(unusedTargetFile({})).toBeUndefined()
  writeFileSync(join(folder, 'conformance.target.yaml'), '')
  expect(unusedTargetFile({})).toMatch(/^conformance\.target\.yaml is not used.*Add --target conformance/)
  expect(unusedTargetFile({ baseUrl: 'http://127.0.0.1:1' })).toBeUndefined()
  expect(unusedTargetFile({ target: 'conformance.target.yaml' })).toBeUndefined()
})
