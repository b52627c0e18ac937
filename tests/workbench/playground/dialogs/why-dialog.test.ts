import { defineTool } from 'loadout'
import { expect, test } from 'vitest'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { aTool } from '../../../workspace/a-workspace.ts'
import { MemoryServer } from '../../../workspace/servers/a-server.ts'
import { aPlayground, type APlayground, TABLE } from '../a-playground.ts'
import { printReport } from '../../../../src/workbench/report/writers/print-report.ts'

/** Presses keys, and returns the lines of the answer that the screen has then. */
async function ask({ context }: APlayground, ...keys: readonly string[]): Promise<string> {
  await handleStrokes(keys, context, TABLE)
  return answered(context)
}

async function answered(context: APlayground['context']): Promise<string> {
  const { dialog } = context.ui.getState()
  if (dialog?.kind !== 'ask') throw new TypeError('The dialog is not open.')
  context.answers.about(dialog.text)
  await context.answers.reading()
  let text = ''
  const stdout = { write: (more: string) => (text += more) }
  const report = context.answers.about(dialog.text)?.report ?? []
  printReport(report, { stdout, isTerminal: false, columns: 0, colour: false })
  return text
}

const asked = ({ context }: APlayground) => {
  const { dialog } = context.ui.getState()
  return dialog?.kind === 'ask' ? dialog.text : null
}

const clear = 'ctrl+u'

test('W is about the skill under the cursor, and Esc gives the screen back', async () => {
  const playground = await aPlayground()
  expect(await ask(playground, 'j', 'W')).toContain('music (skill): inactive')
  expect(asked(playground)).toBe('music')
  const { context } = playground
  await handleStrokes(['esc'], context, TABLE)
  expect(context.ui.getState()).toMatchObject({ dialog: null, focus: 'skills' })
})

test('what is typed replaces what W was about, and can be changed where a letter is deleted first', async () => {
  const playground = await aPlayground()
  await handleStrokes(['j', 'W', ...'ask'], playground.context, TABLE)
  expect(asked(playground)).toBe('ask')
  await handleStrokes(['esc', 'W', 'backspace', 'k'], playground.context, TABLE)
  expect(asked(playground)).toBe('musik')
})

test('W is about the tool, the entry or the part of the prompt under the cursor', async () => {
  const playground = await aPlayground()
  await handleStrokes([...'2/query', 'enter', 'W'], playground.context, TABLE)
  expect(asked(playground)).toBe('data-analysis/query_table')
  await handleStrokes(['esc', '4', 'W'], playground.context, TABLE)
  expect(asked(playground)).toMatch(/^#\d+$/)
})

test('a name that is not there has the nearest names', async () => {
  const text = await ask(await aPlayground(), 'W', clear, ...'qery_table')
  expect(text).toContain('qery_table: unknown')
  expect(text).toContain('query_table')
})

test('a sentence ranks tools and skills with the matched words, and says whether the first ones can be used', async () => {
  const playground = await aPlayground()
  await playground.workspace.activateSkill('data-analysis')
  const text = await ask(playground, 'W', clear, ...'ask questions of tables')
  expect(text).toMatch(
    /SCORE +KIND +NAME +OWNER +MATCHED\n[\d.]+ +skill +data-analysis +- +description:/,
  )
  expect(text).toContain('data-analysis (skill): active')
  expect(text).toContain('list_tables (tool): available')
})

test('a server has its connection, the skill that brings it, and its tools, also one that it dropped', async () => {
  const tools = ['tracker_list', 'tracker_label'].map((name) => aTool(name))
  const server = new MemoryServer('tracker', tools, { stored: true })
  const skills = [{ name: 'issues', description: 'Work on issues.', servers: ['tracker'] }]
  const playground = await aPlayground(skills, {}, [], { servers: [server] })
  await playground.workspace.activateSkill('issues')
  server.tools = server.tools.slice(0, 1)
  await playground.workspace.callTool('tracker_list', {})
  const text = await ask(playground, 'W', clear, ...'tracker')
  expect(text).toContain('tracker (server)\nserver tracker: connected since')
  expect(text).toContain('brought by issues: active')
  expect(text).toContain('tracker_list: available')
  expect(text).toContain('tracker_label: gone')
  expect(await ask(playground, clear, ...'tracker_label')).toContain('no longer has it')
})

test('a sentence that nothing fits says so', async () => {
  const text = await ask(await aPlayground(), 'W', clear, ...'zzqx vvkw')
  expect(text).toContain('nothing matches "zzqx vvkw" in 6 tools and skills.')
})

test('words in quotes are searched for, and the names around them are explained', async () => {
  const playground = await aPlayground()
  const question = 'why was music not loaded for "write a report of tables"?'
  const text = await ask(playground, 'W', clear, ...question)
  expect(text).toContain('music (skill): inactive')
  expect(text).toContain('its description has none of these words')
  expect(text).toMatch(/skill +reporting/)
})

test.each(['step 1', ' Step 1 '])('"%s" is the entry of a step', async (name) => {
  const playground = await aPlayground()
  await playground.workspace.beginStep()
  expect(await ask(playground, 'W', clear, ...name)).toMatch(/^#\d+ step.begun\n/)
})

test('an entry about a skill has the status of the skill', async () => {
  const playground = await aPlayground()
  const { workspace } = playground
  await workspace.activateSkill('music')
  const { seq } = workspace.state
  const text = await ask(playground, 'W', clear, ...`#${seq}`)
  expect(text).toContain(`#${seq} source.opened`)
  expect(text).toContain('music (skill): active')
})

test('an entry that is not there is refused with the number of the last one', async () => {
  expect(await ask(await aPlayground(), 'W', clear, ...'#999')).toContain('There is no entry #999')
})

test('Enter opens the description of the selected result, and Esc returns to its list', async () => {
  const playground = await aPlayground()
  const { context } = playground
  await ask(playground, 'W', clear, ...'list the tables')
  await handleStrokes(['enter'], context, TABLE)
  expect(context.ui.getState()).toMatchObject({
    dialog: null,
    focus: 'why',
    list: 'tools',
    panes: { tools: { selected: 'list_tables' } },
  })
  await handleStrokes(['esc'], context, TABLE)
  expect(context.ui.getState().focus).toBe('tools')
})

test('Enter on an entry goes to its moment', async () => {
  const playground = await aPlayground()
  const { context, workspace } = playground
  await workspace.activateSkill('music')
  await ask(playground, 'W', clear, ...'#0')
  await handleStrokes(['enter'], context, TABLE)
  expect(context.ui.getState()).toMatchObject({ focus: 'timeline', dialog: null })
  expect(context.ui.getState().panes['timeline']?.selected).toBe('0')
})

test('the ranks follow the session while the question stays', async () => {
  const playground = await aPlayground()
  const { context, workspace } = playground
  expect(await ask(playground, 'W', clear, ...'invoice of a customer')).toContain('nothing matches')
  await workspace.registerTool(
    defineTool({
      name: 'send_invoice',
      description: 'Send an invoice to a customer.',
      execute: () => 1,
    }),
  )
  expect(await answered(context)).toMatch(/tool +send_invoice +- +.*invoice/)
})

test('an answer that is overtaken by further typing is not computed', async () => {
  const playground = await aPlayground()
  const { context } = playground
  await handleStrokes(['W', clear], context, TABLE)
  for (const letter of 'tables') {
    await handleStrokes([letter], context, TABLE)
    const { dialog } = context.ui.getState()
    context.answers.about(dialog?.kind === 'ask' ? dialog.text : '')
  }
  expect(context.answers.about('tables')).toBeNull()
  await context.answers.reading()
  expect(context.answers.about('tables')?.found[0]?.name).toBe('list_tables')
})
