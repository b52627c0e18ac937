import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createElement } from 'react'
import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { activeSkills } from '../../../../src/engine/standing/assess-skill.ts'
import { openSkillTrust } from '../../../../src/workbench/project/open-skill-trust.ts'
import { openTrustStore } from '../../../../src/workbench/project/trust/trust-store.ts'
import { createUiStore } from '../../../../src/workbench/playground/context/ui-state.ts'
import { Screen } from '../../../../src/workbench/playground/screen/screen.tsx'
import { createContext } from '../../../../src/workbench/playground/session/create-context.ts'
import { watchSkills } from '../../../../src/workbench/playground/session/watch-skills.ts'
import { NO_TERMINAL } from '../../../../src/workbench/playground/terminal/terminal-control.ts'
import { skillText, temporaryFolder, toolTree } from '../../project/temporary-folder.ts'
import { TABLE, WORDS } from '../a-playground.ts'
import { realScreen } from '../real-screen.ts'

const SKILLS = {
  'skills/mice/SKILL.md': skillText('mice'),
  'skills/owls/SKILL.md': `${skillText('owls', 'license: MIT\nmetadata:\n  loadout.requires: mice\n')}Hoot.\n`,
  ...toolTree('skills/owls/tools/look'),
}

/** The screen of a project of which nothing is trusted, or one skill. */
async function aScreen({ trusts = '', files = {} } = {}) {
  const root = await temporaryFolder({ ...SKILLS, ...files })
  const trustStore = openTrustStore({ file: join(await temporaryFolder(), 'trust.json') })
  if (trusts !== '') await trustStore.trust(join(root, trusts))
  const reading = { home: null, project: root, trustStore }
  const project = await openProject([join(root, 'skills')], reading)
  const trust = openSkillTrust(reading)
  const options = {
    log: createMemoryLog(),
    tokenCounter: WORDS,
    confirmations: {
      keepArguments: true,
      loading: async (skill: Parameters<typeof trust.read>[0]) =>
        (await trust.read(skill))?.lines.join('\n') ?? null,
    },
  }
  const { catalog } = project
  const workspace = await VirtualWorkspace.open({ ...options, catalog })
  onTestFinished(() => context.workspace().close())
  const ui = createUiStore('skills')
  const paths = [join(root, 'skills')]
  const watch = await watchSkills({
    paths,
    reading,
    project,
    workspace,
    options,
    ui,
    replace: (next, since) => replace(next, since),
  })
  onTestFinished(() => watch.close())
  const { context, close, replace } = await createContext({
    workspace,
    ui,
    counter: WORDS,
    live: true,
    consent: {
      ...trust,
      async trust(skills) {
        await trust.trust(skills)
        await watch.bind()
      },
    },
    accept: async () => {},
    terminal: NO_TERMINAL,
  })
  onTestFinished(close)
  const theme = { ascii: true, colour: false }
  const shown = await realScreen(createElement(Screen, { context, table: TABLE, theme }), 160, 40)
  const active = () => activeSkills(context.workspace().state)
  const { workspace: current } = context
  return { ...shown, current, trustStore, active, ui, root }
}

const QUESTION = 'Its folder is not trusted'

const NO_QUESTION = new RegExp(`^(?!.*${QUESTION})`, 'sv')

test('a skill of a folder that is not trusted shows its source and what it brings, and n changes nothing', async () => {
  const { press, waitFor, screen, current, root, active } = await aScreen()
  const { seq } = current().state
  await press('j ')
  await waitFor(QUESTION)
  for (const text of [
    `Folder: ${root}/skills/owls`,
    'Licence: MIT',
    'tool look, moderate risk: Runs look.',
    'tools/look/handler.js',
    // The skill that it requires would be activated, too.
    'The folder of the skill "mice" is not trusted.',
  ]) {
    expect(screen()).toContain(text)
  }
  for (const key of ['n', ' ', '\x1b']) {
    await press(key)
    // A lone Esc is read after a moment: it might be the start of a sequence.
    await waitFor(key === ' ' ? QUESTION : NO_QUESTION)
  }
  expect(active()).toEqual([])
  expect(current().state.seq).toBe(seq)
})

test('y activates the skill once, its code does not run, and it is asked about again', async () => {
  const { press, waitFor, trustStore, current, active } = await aScreen()
  await press('j ')
  await waitFor(QUESTION)
  await press('y')
  await waitFor('DONE owls activated')
  expect(active()).toEqual(['mice', 'owls'])
  expect(current().explain('look').status).toBe('unbound')
  expect(await trustStore.list()).toEqual([])
  await press(' ')
  await waitFor('DONE owls deactivated')
  await press(' ')
  await waitFor(QUESTION)
})

test('t trusts the folders and activates the skill, whose code runs in the same session', async () => {
  const { press, waitFor, trustStore, current, root, active } = await aScreen()
  await press('j ')
  await waitFor(QUESTION)
  await press('t')
  await waitFor('DONE owls activated')
  expect(active()).toEqual(['mice', 'owls'])
  expect((await trustStore.list()).map(({ folder }) => folder)).toEqual([
    `${root}/skills/mice`,
    `${root}/skills/owls`,
  ])
  expect(await current().callTool('look', { text: 'up' })).toMatchObject({ data: { echoed: 'up' } })
})

test.each(['y', 't'])(
  'a skill that changed behind the question is asked about again after %s',
  async (key) => {
    const { press, waitFor, trustStore, current, root, active } = await aScreen()
    await press('j ')
    await waitFor('Licence: MIT')
    const file = join(root, 'skills/owls/SKILL.md')
    await writeFile(
      file,
      skillText('owls', 'license: Other\nmetadata:\n  loadout.requires: mice\n'),
    )
    await expect.poll(() => current().catalog.skills.get('owls')?.license).toBe('Other')
    await press(key)
    await waitFor('Licence: Other')
    expect(active()).toEqual([])
    expect(await trustStore.list()).toEqual([])
    await press('y')
    await waitFor('DONE owls activated')
  },
)

test('the rest of a long line is indented, so that it looks like no line of the question', async () => {
  const summary = { 'skills/owls/tools/look/doc_summary.md': 'x '.repeat(100) }
  const { press, waitFor, screen } = await aScreen({ files: summary })
  await press('j ')
  await waitFor('x x x')
  const [first, ...rest] = screen()
    .split('\n')
    .filter((line) => line.includes('x x x'))
  expect(first).toMatch(/\| {2}tool look, /v)
  expect(rest).not.toEqual([])
  for (const line of rest) expect(line).toMatch(/\| {6}x x/v)
})

test('a skill of a trusted folder is activated at once', async () => {
  const { press, waitFor, screen } = await aScreen({ trusts: 'skills' })
  await press('j ')
  await waitFor('DONE owls activated')
  expect(screen()).not.toContain(QUESTION)
})

test.each([
  { keys: 'L\r', what: 'for a limited time' },
  { keys: 'R', what: 'in place of others' },
])('a skill that is activated $what is asked about, too', async ({ keys }) => {
  const { press, waitFor, active } = await aScreen()
  for (const key of keys) await press(key)
  await waitFor(QUESTION)
  expect(active()).toEqual([])
})

test('a letter of a filter does not answer the question', async () => {
  const { press, ui, active } = await aScreen()
  await press(' /')
  const isDone = () => ui.getState().banner?.text.includes('it was not activated') === true
  await new Promise<void>((resolve) => {
    if (isDone()) return resolve()
    ui.subscribe(() => isDone() && resolve())
  })
  await press('y')
  expect(ui.getState().dialog).toBeNull()
  expect(active()).toEqual([])
})

test('a model that loads such a skill waits for a person, who sees the same', async () => {
  const { press, waitFor, screen, current, active } = await aScreen()
  const load = () => current().callTool('loadSkill', { skillName: 'owls' }, { caller: 'model' })
  expect(await load()).toMatchObject({ error: { type: 'CONFIRMATION_REQUIRED' } })
  await press('3')
  await waitFor('T can trust the folder of the skill.')
  expect(screen()).toContain('tool look, moderate risk: Runs look.')
  expect(active()).toEqual([])
  await press('y')
  await waitFor('DONE The call of loadSkill was approved')
  expect(await load()).toMatchObject({ ok: true })
  expect(active()).toEqual(['mice', 'owls'])
})

test('T on the question of a model trusts the folder, and approves the call', async () => {
  const { press, waitFor, current } = await aScreen()
  const load = () => current().callTool('loadSkill', { skillName: 'owls' }, { caller: 'model' })
  await load()
  await press('3T')
  await waitFor(QUESTION)
  await press('t')
  await waitFor('DONE The call of loadSkill was approved')
  expect(await load()).toMatchObject({ ok: true })
  expect(await current().callTool('look', {}, { caller: 'model' })).toMatchObject({ ok: true })
})

test('T on an active skill trusts its folder', async () => {
  const { press, waitFor, current } = await aScreen()
  await current().activateSkill('owls')
  await press('jT')
  await waitFor('Trust the folder of owls?')
  await press('yt')
  await waitFor('DONE The folder of owls is trusted')
  expect(await current().callTool('look', {})).toMatchObject({ ok: true })
  await press('T')
  await waitFor('NOTE No folder of this skill waits to be trusted.')
})
