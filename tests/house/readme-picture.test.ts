import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { PROJECT } from '../../scripts/run-command.ts'
import { takePicture } from '../../scripts/frames-of-page.ts'

// Elsewhere /tmp may be a link, and the prompt names real folders.
test.runIf(process.platform === 'linux')(
  'the picture of the README is what the playground shows now: npm run picture',
  () => {
    const picture = takePicture()
    expect(picture).toContain('data-analysis activated')
    expect(picture).not.toContain(PROJECT)
    expect(picture).toBe(readFileSync(join(PROJECT, 'docs', 'playground.svg'), 'utf8'))
  },
)
