import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { createMemoryLog, VirtualWorkspace } from 'loadout'
import { openProject } from 'loadout/node'
import { expect, onTestFinished, test } from 'vitest'
import { META_OWNER } from '../../../../src/engine/model/source-event.ts'
import {
  createUiStore,
  type UiState,
} from '../../../../src/workbench/playground/context/ui-state.ts'
import { toggleSkill } from '../../../../src/workbench/playground/changes/activate-skill.ts'
import type { PlaygroundContext } from '../../../../src/workbench/playground/context/playground-context.ts'
import {
  changeLines,
  priceText,
} from '../../../../src/workbench/playground/changes/change-lines.ts'
import { watchSkills } from '../../../../src/workbench/playground/session/watch-skills.ts'
import {
  skillText,
  temporaryFolder,
  toolTree,
  type Tree,
  writeTree,
} from '../../project/temporary-folder.ts'
import { WORDS } from '../a-playground.ts'

const OWLS = {
  'owls/SKILL.md': `${skillText('owls')}Hoot.\n`,
  ...toolTree('owls/tools/look', 'export const execute = () => "before"\n'),
}

/** A session on a real folder, followed as a screen does it. */
async function following(
  tree: Tree = OWLS,
  parts: Partial<Parameters<typeof watchSkills>[0]> = {},
) {
  const root = await temporaryFolder(tree)
  const reading = { home: null, trusted: true, project: root }
  const project = await openProject([root], reading)
  const options = { log: createMemoryLog() }
  const shown: { workspace: VirtualWorkspace } = {
    workspace: await VirtualWorkspace.open({ ...options, catalog: project.catalog }),
  }
  const ui = createUiStore('skills')
  const watch = await watchSkills({
    paths: [root],
    reading,
    project,
    workspace: shown.workspace,
    options,
    ui,
    replace: async (next) => void (shown.workspace = next),
    ...parts,
  })
  onTestFinished(() => watch.close())
  const until = (fits: (state: UiState) => boolean) =>
    new Promise<UiState>((resolve) => {
      if (fits(ui.getState())) return resolve(ui.getState())
      const end = ui.subscribe((state) => {
        if (!fits(state)) return
        end()
        resolve(state)
      })
    })
  const waits = (text: string) =>
    until(({ changes }) => changes.some((one) => one.text.includes(text)))
  const told = (text: string) => until(({ banner }) => banner?.text.includes(text) ?? false)
  return { root, ui, watch, shown, until, waits, told }
}

const prompt = ({ shown: { workspace } }: Awaited<ReturnType<typeof following>>) =>
  workspace.prompt().text

test('an active skill keeps its content to the byte until its change is accepted', async () => {
  const screen = await following()
  const { root, shown, watch, waits } = screen
  await shown.workspace.activateSkill('owls', { by: 'user' })
  const before = prompt(screen)
  const { seq } = shown.workspace.state
  await writeTree(root, {
    'owls/SKILL.md': `${skillText('owls')}Screech.\n`,
    ...toolTree('owls/tools/fly'),
    'mice/SKILL.md': skillText('mice'),
  })
  await waits('instructions, tools (+fly)')
  // The folder may have been read between the two writes.
  await screen.told('mice added')
  await rm(join(root, 'mice'), { recursive: true })
  await screen.told('mice removed')
  expect(prompt(screen)).toBe(before)
  // The meta-tool that loads skills lists them; nothing else but the catalog was written.
  for (const { event } of await shown.workspace.entries(seq + 1)) {
    if (event.type === 'catalog.taken') continue
    expect(event).toMatchObject({ type: 'source.opened', owner: META_OWNER })
  }
  expect(await shown.workspace.callTool('look', {})).toMatchObject({ data: 'before' })

  await watch.accept('owls')
  expect(prompt(screen)).toContain('Screech.')
  expect(prompt(screen)).not.toContain('Hoot.')
  expect(shown.workspace.isToolAvailable('fly')).toBe(true)
  expect(screen.ui.getState().changes).toEqual([])
  expect((await shown.workspace.entries()).at(-1)).toMatchObject({
    event: { type: 'source.accepted', owner: 'owls' },
    cause: { by: 'user' },
  })
})

test('changes of inactive skills are applied at once, and reported', async () => {
  const { root, shown, told, ui } = await following()
  await writeTree(root, { 'mice/SKILL.md': `${skillText('mice')}Squeak.\n` })
  await told('mice added')
  expect(ui.getState().changes).toEqual([])
  expect(await shown.workspace.activateSkill('mice')).toMatchObject({ ok: true })
  expect(shown.workspace.prompt().text).toContain('Squeak.')
})

test('a waiting change is applied when its skill is deactivated', async () => {
  const { root, shown, waits, until } = await following()
  await shown.workspace.activateSkill('owls')
  await writeFile(join(root, 'owls/SKILL.md'), `${skillText('owls')}Screech.\n`)
  await waits('instructions')
  await shown.workspace.deactivateSkill('owls')
  await until(({ changes }) => changes.length === 0)
  expect(shown.workspace.catalog.skills.get('owls')?.instructions).toContain('Screech.')
})

test('a removed skill stays while it is active; accepting deactivates it', async () => {
  const { root, shown, waits, watch, ui } = await following()
  await shown.workspace.activateSkill('owls')
  await rm(join(root, 'owls'), { recursive: true })
  await waits('no longer on disk')
  expect(shown.workspace.isToolAvailable('look')).toBe(true)
  await watch.accept(null)
  expect(shown.workspace.explainSkill('owls').status).toBe('unknown')
  expect(ui.getState().changes).toEqual([])
})

test.each<{ what: string; tree: Tree; why: string }>([
  {
    what: 'definition',
    tree: { 'owls/SKILL.md': '---\nname: [\n---\n' },
    why: 'last good version is used',
  },
  {
    what: 'schema',
    tree: { 'owls/tools/look/schema.json': '{' },
    why: 'last good version is used',
  },
  {
    what: 'handler',
    tree: { 'owls/tools/look/handler.js': 'export const execute = (' },
    why: 'could not be imported',
  },
])('the last good state stays when a $what breaks, until it is fixed', async ({ tree, why }) => {
  const screen = await following()
  const { root, shown, waits, watch, until } = screen
  const before = prompt(screen)
  await writeTree(root, tree)
  await waits(why)
  expect(prompt(screen)).toBe(before)
  await expect(watch.accept('owls')).rejects.toMatchObject({ code: 'SKILL_BROKEN' })
  await shown.workspace.activateSkill('owls')
  expect(await shown.workspace.callTool('look', {})).toMatchObject({ data: 'before' })
  await writeTree(root, OWLS)
  await until(({ changes }) => changes.length === 0)
  expect(await shown.workspace.callTool('look', {})).toMatchObject({ data: 'before' })
})

test('a new handler is applied at once when the definition is the same', async () => {
  const { root, shown, until } = await following()
  await shown.workspace.activateSkill('owls')
  const first = shown.workspace
  await writeTree(root, toolTree('owls/tools/look', 'export const execute = () => "after"\n'))
  await until(() => shown.workspace !== first)
  expect(await shown.workspace.callTool('look', {})).toMatchObject({ data: 'after' })
})

test('changes are applied only after a running call has ended', async () => {
  const handler = `
globalThis.owlsStarted = new Promise((begin) => { globalThis.owlsBegin = begin })
export const execute = () =>
  new Promise((end) => { globalThis.owlsEnd = end; globalThis.owlsBegin() })
`
  const { root, shown, told } = await following({
    ...OWLS,
    ...toolTree('owls/tools/look', handler),
  })
  const owls = globalThis as unknown as { owlsStarted: Promise<void>; owlsEnd(data: string): void }
  const first = shown.workspace
  await first.activateSkill('owls')
  const call = first.callTool('look', {})
  await owls.owlsStarted
  await writeTree(root, { 'mice/SKILL.md': skillText('mice') })
  const second = await following()
  await writeTree(second.root, { 'mice/SKILL.md': skillText('mice') })
  await second.told('mice added')
  expect(shown.workspace).toBe(first)
  owls.owlsEnd('whole')
  expect(await call).toMatchObject({ ok: true, data: 'whole' })
  await told('mice added')
  expect(shown.workspace).not.toBe(first)
})

test('a change that the session refuses changes nothing', async () => {
  const screen = await following({
    ...OWLS,
    'mice/SKILL.md': skillText('mice'),
    ...toolTree('mice/tools/dig'),
  })
  const { root, shown, watch, waits } = screen
  await shown.workspace.activateSkill('owls')
  await shown.workspace.activateSkill('mice')
  const before = prompt(screen)
  await writeTree(root, {
    ...toolTree('owls/tools/dig', 'export const execute = () => "other"\n'),
    'owls/tools/dig/doc_summary.md': 'Another one.\nSafe.\n',
    'owls/tools/dig/schema.json': JSON.stringify({
      toolId: 'dig',
      description: 'Another one.',
      parameters: { type: 'object', properties: {} },
    }),
  })
  await waits('+dig')
  await expect(watch.accept('owls')).rejects.toMatchObject({ code: 'tool-name-taken' })
  expect(prompt(screen)).toBe(before)
  expect(screen.ui.getState().changes).toMatchObject([{ skill: 'owls', what: 'changed' }])
})

test('a configuration that breaks changes nothing', async () => {
  const config = JSON.stringify({ skills: ['./mine'], agents: [{ name: 'clerk' }] })
  const { root, shown, told } = await following({
    ...OWLS,
    'loadout.config.json': config,
  })
  const first = shown.workspace
  await writeFile(join(root, 'loadout.config.json'), '{')
  await told('Nothing was changed.')
  expect(shown.workspace).toBe(first)
  await writeTree(root, { 'loadout.config.json': config, 'bats/SKILL.md': skillText('bats') })
  await told('bats added')
  expect([...shown.workspace.catalog.agents.keys()]).toEqual(['clerk'])
})

test('rules of the configuration are reloaded', async () => {
  const screen = await following()
  const config = { permissions: { deny: ['look'] } }
  await writeTree(screen.root, { 'loadout.config.json': JSON.stringify(config) })
  await screen.told('The rules of the configuration changed.')
  expect(screen.shown.workspace.state.policy.deny).toEqual(['look'])
})

test('a key pressed while changes are applied acts on the new session', async () => {
  const { root, ui, shown, told } = await following()
  const parts = { ui, counter: WORDS, live: true, consent: null }
  const screen = { ...parts, workspace: () => shown.workspace }
  const before = shown.workspace
  await writeTree(root, { 'mice/SKILL.md': skillText('mice') })
  const closing = Promise.withResolvers<undefined>()
  const close = before.close.bind(before)
  before.close = async () => {
    await close()
    closing.resolve(undefined)
    // Keys come in between, and are handled in turns of their own.
    await setImmediate()
  }
  await closing.promise
  expect(shown.workspace).toBe(before)
  const pressed = toggleSkill(screen as unknown as PlaygroundContext, 'owls')
  await told('mice added')
  await pressed
  expect(shown.workspace).not.toBe(before)
  expect(shown.workspace.explainSkill('owls').status).toBe('active')
})

test('a change that waits has its difference, and what it costs', async () => {
  const { root, shown, waits } = await following()
  await shown.workspace.activateSkill('owls')
  await writeFile(join(root, 'owls/SKILL.md'), `${skillText('owls')}Hoot twice at dawn.\n`)
  const { changes } = await waits('instructions')
  const [change] = changes
  if (change === undefined) throw new Error('no change')
  expect(priceText(change, WORDS)).toMatch(/^ \+\d+$/)
  const lines = changeLines(change, WORDS)
  expect(lines[1]).toMatch(/^The skill adds \d+ -> \d+ tokens \(\+\d+\)\.$/)
  expect(lines).toContain('skill owls changed')
  expect(lines.map((line) => line.trim())).toEqual(
    expect.arrayContaining(['-Hoot.', '+Hoot twice at dawn.']),
  )
})

test('a folder that was trusted on the screen stays trusted when a person saves it, not when a tool ran meanwhile', async () => {
  const asked: string[] = []
  const read: number[] = []
  const { root, shown, told } = await following(OWLS, {
    trustAgain: async ({ skills }) => {
      asked.push(...skills.keys())
      return ['owls']
    },
    onRead: () => void read.push(1),
  })
  await writeFile(join(root, 'owls/SKILL.md'), `${skillText('owls')}Screech.\n`)
  await told('Trusted as saved, since you trusted it on this screen: owls.')
  expect(asked).toEqual(['owls'])
  expect(read).toHaveLength(1)
  await shown.workspace.activateSkill('owls')
  await shown.workspace.callTool('look', {})
  await shown.workspace.deactivateSkill('owls')
  await writeFile(join(root, 'owls/SKILL.md'), `${skillText('owls')}Whisper.\n`)
  await told('owls changed')
  expect(asked).toEqual(['owls'])
})
