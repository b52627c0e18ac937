import { expect, test } from 'vitest'
import { pricedPrompt } from '../../../../src/workbench/playground/panes/priced-prompt.ts'
import {
  nextHit,
  promptRows,
  type PromptRowOptions,
} from '../../../../src/workbench/playground/panes/prompt-rows.ts'
import { aPlayground } from '../a-playground.ts'

/** Everything is open. */
const PLAIN: PromptRowOptions = {
  format: 'markdown',
  toggled: ['skill-catalog', 'loading', 'active-skills', 'available-tools'],
  fresh: [],
  width: 60,
  search: '',
  conversation: () => [],
}

async function aPricedPrompt() {
  const { context, workspace } = await aPlayground()
  await workspace.activateSkill('reporting')
  await context.readNext()
  return { context, workspace, priced: pricedPrompt(context) }
}

test('the lines under the headings are the complete prompt, in order', async () => {
  const { workspace, priced } = await aPricedPrompt()
  const { lines, ids } = promptRows(priced, { ...PLAIN, width: 500 })
  const text = lines.flatMap((line) => (line.kind === 'text' && line.text !== '' ? line.text : []))
  const written = workspace
    .prompt()
    .text.split('\n')
    .filter((line) => line.trim() !== '')
  expect(text.map((line) => line.trimEnd())).toEqual(written.map((line) => line.trimEnd()))
  expect(new Set(ids).size).toBe(lines.length)
})

test('the same prompt gives the same rows, until the session changes', async () => {
  const { context, workspace, priced } = await aPricedPrompt()
  const rows = promptRows(priced, PLAIN)
  expect(promptRows(pricedPrompt(context), { ...PLAIN })).toBe(rows)
  expect(promptRows(priced, { ...PLAIN, width: 40 })).not.toBe(rows)
  await workspace.activateSkill('music')
  await workspace.deactivateSkill('reporting')
  await context.readNext()
  expect(promptRows(pricedPrompt(context), PLAIN)).not.toBe(rows)
})

test('hits are gone through in order and around the end, both ways', async () => {
  const { priced } = await aPricedPrompt()
  const rows = promptRows(priced, { ...PLAIN, search: 'REPORT' })
  const all = rows.ids.filter((_, index) => {
    const line = rows.lines[index]
    return line?.kind === 'text' && line.text.toLowerCase().includes('report')
  })
  expect(all.length).toBeGreaterThan(2)
  const walk = (step: 1 | -1) => {
    const seen: string[] = []
    let at: string | null = null
    for (let steps = 0; steps <= all.length; steps += 1) {
      at = nextHit(rows, at, step)
      seen.push(at ?? 'none')
    }
    return seen
  }
  expect(walk(1)).toEqual([...all, all[0]])
  expect(walk(-1)).toEqual([...all.toReversed(), all.at(-1)])
  expect(nextHit(promptRows(priced, { ...PLAIN, search: 'nowhere' }), null, 1)).toBeNull()
  const last = rows.lines.at(-1)
  const search = last?.kind === 'text' ? last.text.slice(-1) : 'no text'
  expect(nextHit(promptRows(priced, { ...PLAIN, search }), null, -1)).toBe(rows.ids.at(-1))
})
