import { createCatalog, defineSkill, defineTool, type Tool, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import {
  compareMoments,
  captureMoment,
} from '../../../../src/workbench/report/facts/compare-moments.ts'
import { nextMarks } from '../../../../src/workbench/playground/panes/timeline-pane.tsx'
import { WORDS } from '../../playground/words.ts'

test.each<[readonly number[], number, readonly number[]]>([
  [[], 3, [3]],
  [[3], 3, []],
  [[3], 1, [3, 1]],
  [[3, 1], 5, [5]],
  [[3, 1], 3, [3]],
])('marks %j and then %i: %j', (marks, seq, next) => {
  expect(nextMarks(marks, seq)).toEqual(next)
})

const say = (words: string) => defineTool({ name: 'say', description: words, execute: () => words })

const [loud, quiet] = [say('loud'), say('quiet')]

test('a tool with another owner has changed; a captured moment stays', async () => {
  const skills = ['loud', 'quiet'].map((name) =>
    defineSkill({ name, description: name, tools: [say(name)], onConflict: 'shadow' }),
  )
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills }),
    metaTools: [],
    tokenCounter: WORDS,
  })
  const nothing = await captureMoment(workspace)
  await workspace.activateSkill('loud')
  const loud = await captureMoment(workspace)
  await workspace.activateSkill('quiet')
  await workspace.deactivateSkill('loud')
  const quiet = await captureMoment(workspace)

  expect(compareMoments(nothing, loud, WORDS).tools).toEqual({
    added: ['say'],
    removed: [],
    changed: [],
  })
  const { tools, document } = compareMoments(loud, quiet, WORDS)
  expect(tools).toEqual({ added: [], removed: [], changed: ['say'] })
  expect(document.changes.map(({ kind, id }) => `${kind} ${id}`)).toContain(
    'added skill-tools/quiet',
  )
  expect(compareMoments(quiet, nothing, WORDS).tools.removed).toEqual(['say'])
  await workspace.close()
})

test.each([
  ['another owner', { owner: 'b', tool: loud }, ['say']],
  ['another definition', { owner: 'a', tool: quiet }, ['say']],
  ['nothing else', { owner: 'a', tool: loud }, []],
] as const)('%s under the same name: changed are %j', (_what, tool, changed) => {
  const document = { sections: [], notes: [], variables: [] }
  const moment = (one: { owner: string; tool: Tool }) => ({
    available: new Map([['say', one]]),
    document,
  })
  const { tools } = compareMoments(moment({ owner: 'a', tool: loud }), moment(tool), WORDS)
  expect(tools).toEqual({ added: [], removed: [], changed })
})
