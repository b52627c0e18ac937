import { expect, test } from 'vitest'
import { progressLine, whileReading } from '../../../../src/workbench/cli/shell/progress-line.ts'
import { skillText, temporaryFolder } from '../../project/temporary-folder.ts'
import { loadRoots } from '../../../../src/workbench/project/folders/load-skills.ts'

function terminal(isTTY = true) {
  const written: string[] = []
  return { written, stderr: { isTTY, write: (text: string) => written.push(text) } }
}

test('a line is overwritten by the next and finally cleared', () => {
  const { written, stderr } = terminal()
  const line = progressLine({ stderr })
  line.show('Reading', 1, 3)
  line.show('Counting')
  line.end()
  expect(written).toEqual(['\r\u001b[2KReading… 1 of 3', '\r\u001b[2KCounting…', '\r\u001b[2K'])
})

test('only a few of ten thousand steps are written, and none without a terminal', () => {
  const { written, stderr } = terminal()
  const piped = terminal(false)
  for (const target of [progressLine({ stderr }), progressLine(piped)]) {
    for (let done = 1; done <= 10_000; done += 1) target.show('Reading', done, 10_000)
    target.end()
  }
  expect(written.length).toBeLessThan(1000)
  expect(written.at(-1)).toBe('\r\u001b[2K')
  expect(piped.written).toEqual([])
})

test('quick work shows nothing', () => {
  const { written, stderr } = terminal()
  const line = progressLine({ stderr }, { after: 60_000 })
  line.show('Reading', 1, 2)
  line.end()
  expect(written).toEqual([])
})

test('the stage is sanitised and never wraps', () => {
  const { written, stderr } = terminal()
  progressLine({ stderr }).show(`\u001b[31m${'long '.repeat(40)}\n`, 7, 9)
  expect(written[0]?.slice('\r\u001b[2K'.length)).toMatch(/^<U\+001B>\[31mlong .*… 7 of 9$/)
  expect(written[0]?.length).toBeLessThan(80)
})

test('every folder that is read is reported, even if reading fails', async () => {
  const root = await temporaryFolder({
    'a/SKILL.md': skillText('a'),
    'b/SKILL.md': skillText('b'),
  })
  const told: string[] = []
  await loadRoots([root], {}, (done, of) => told.push(`${done}/${of}`))
  expect(told).toEqual(['1/3', '2/3', '3/3'])
  const { written, stderr } = terminal()
  await expect(
    whileReading({ stderr }, async () => {
      throw new Error('unreadable')
    }),
  ).rejects.toThrow('unreadable')
  expect(written).toEqual([])
})
