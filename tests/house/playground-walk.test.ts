import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { framesOfPage, walkFrame } from '../../scripts/frames-of-page.ts'

const project = join(import.meta.dirname, '..', '..')

// Elsewhere /tmp may be a link, and the prompt names real folders.
test.runIf(process.platform === 'linux')(
  'the frames of docs/playground.md are what the playground shows',
  async () => {
    const page = readFileSync(join(project, 'docs/playground.md'), 'utf8')
    const { text, frames } = await framesOfPage(page, walkFrame)
    expect(frames).toBe(5)
    expect(text, 'npm run walk takes them again').toBe(page)
  },
)

test('why the model cannot call a tool is answered in three keys', () => {
  const page = readFileSync(join(project, 'docs/playground.md'), 'utf8')
  const [, after = ''] = page.split('<!-- keys: 2 / q -->')
  expect(after.slice(0, after.indexOf('\n```\n'))).toMatch(/Skill "data-analysis" has not been/)
})

test('frames are taken by their keys, and all else stays', async () => {
  const page = 'Before.\n\n<!-- keys: 2 x -->\n\n```text\nold\n```\n\n```text\nother\n```\n'
  const frame = 'session 0123abcd-89ef-4…\nsession "0123abcd-89ef" for a session abcd $& \n'
  expect(await framesOfPage(page, async (keys) => `${keys}\n${frame}`)).toEqual({
    text:
      'Before.\n\n<!-- keys: 2 x -->\n\n```text\n2 x\nsession 00000000-0000-0…\n' +
      'session "00000000-0000" for a session abcd $&\n```\n\n```text\nother\n```\n',
    frames: 1,
  })
})
