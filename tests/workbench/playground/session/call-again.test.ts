import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { currentDialog } from '../../../../src/workbench/playground/context/current-dialog.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { handleStrokes } from '../../../../src/workbench/playground/keys/handle-strokes.ts'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { watchSkills } from '../../../../src/workbench/playground/session/watch-skills.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { TABLE, WORDS } from '../a-playground.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'

const handler = (answer: string) => `export const execute = ({ text }) => \`${answer}\`\n`

/** A screen on a real folder, which follows changes of its files. */
async function aScreen() {
  const root = await temporaryFolder({
    'owls/SKILL.md': `${skillText('owls')}Hoot.\n`,
    ...toolTree('owls/tools/look', handler('first: ${text}')),
  })
  const reading = { home: null, trusted: true, project: root }
  const project = await openProject([root], reading)
  const options = { log: createMemoryLog() }
  const workspace = await VirtualWorkspace.open({ ...options, catalog: project.catalog })
  const ui = createUiStore('tools')
  const replaced = { count: 0, tell: () => {} }
  const { context, replace, close } = await createContext({
    workspace,
    ui,
    counter: WORDS,
    live: true,
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  const watch = await watchSkills({
    paths: [root],
    reading,
    project,
    workspace,
    options,
    ui,
    async replace(next, since) {
      await replace(next, since)
      replaced.tell()
    },
  })
  onTestFinished(async () => {
    await watch.close()
    close()
  })
  /** Writes the handler and waits until the screen has it. */
  const save = async (text: string) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    replaced.tell = resolve
    await writeFile(join(root, 'owls', 'tools', 'look', 'handler.js'), text)
    await promise
  }
  const press = (...strokes: string[]) => handleStrokes(strokes, context, TABLE)
  const answer = () => {
    const { response } = currentDialog(context, 'answer') ?? {}
    return response?.ok === true ? response.data : response?.error.message
  }
  return { context, press, save, answer }
}

test('after each edit of a handler one key calls it again, with the same arguments', async () => {
  const { context, press, save, answer } = await aScreen()
  await context.workspace().activateSkill('owls', { by: 'user' })
  const text = '{"text": "here"}'
  context.ui.setState({
    dialog: { kind: 'call', tool: 'look', text, cursor: text.length, problem: '' },
  })
  await press('enter')
  expect(answer()).toBe('first: here')
  await save(handler('second: ${text}'))
  await press('.')
  expect(answer()).toBe('second: here')
  await save(`export const execute = () => { throw new Error('broken on purpose') }\n`)
  await press('.')
  expect(answer()).toContain('broken on purpose')
  await save(handler('third: ${text}'))
  await press('.')
  expect(answer()).toBe('third: here')
  await press('enter')
  expect(context.ui.getState().dialog).toBeNull()
  await save(handler('fourth: ${text}'))
  await press('.')
  expect(answer()).toBe('fourth: here')
})
