import { createCatalog, createMemoryLog, defineAgent, defineComponent } from 'loadout'
import { defineRules, defineSkill, defineToolset, VirtualWorkspace } from 'loadout'
import { expect, test } from 'vitest'
import { findHidden } from '../../src/kernel/sanitise-text.ts'
import { aTool } from './a-workspace.ts'

/** A text by whose first word one can see where it came out. */
const tricky = (word: string) => `${word}\u202E\u001B]52;c;aGk=\u0007\u{E0041}\u200B.`
/** The same, as everybody is to see it. */
const shown = (word: string) => `${word}<U+202E><U+001B>]52;c;aGk=<U+0007><U+E0041><U+200B>`

const search = aTool('find_owls', {
  description: tricky('tool-description'),
  summary: tricky('tool-summary'),
  guidance: {
    before: tricky('guidance-before'),
    after: tricky('guidance-after'),
    pitfalls: [tricky('pitfall')],
  },
  topic: 'birds',
  inputSchema: {
    type: 'object',
    properties: {
      [tricky('argument-name')]: { type: 'string', description: tricky('argument-description') },
    },
  },
} as never)

/** A disk takes such names. */
const PATH = tricky('path')

function aSkillOf(name: string, more: Partial<Parameters<typeof defineSkill>[0]> = {}) {
  return defineSkill({
    name: name,
    displayName: tricky(`${name}-display-name`),
    description: tricky(`${name}-description`),
    whenToUse: tricky(`${name}-when`),
    triggers: [tricky(`${name}-trigger`)],
    instructions: tricky(`${name}-instructions`),
    baseDirectory: `/skills/${tricky(`${name}-base`)}`,
    files: [{ path: PATH, description: tricky(`${name}-file`), text: tricky('file') }],
    tools: [aTool(`${name}_tool`, { description: tricky(`${name}-tool-description`) })],
    ...more,
  })
}

const notes = defineComponent({
  key: 'notes',
  displayName: tricky('component-name'),
  description: 'Notes.',
  initialState: null,
  tools: [],
  panel: () => ({ title: tricky('panel-title'), lines: [tricky('panel-line')] }),
})
const untitled = defineComponent({
  key: 'untitled',
  displayName: tricky('untitled'),
  initialState: null,
  tools: [],
  panel: () => ({ title: '', lines: ['.'] }),
})

const entities = aTool('list_owls', {
  extract: () => [{ type: tricky('entity-type'), id: tricky('entity-id'), name: tricky('entity') }],
} as never)
const slow = aTool('slow', { background: true, execute: () => tricky('result') })

const META_TOOLS = [
  ...(['loadSkill', 'loadSkillFile', 'listAvailableSkills', 'listSkillToolsets'] as const),
  ...(['loadToolset', 'loadTool', 'tool_search'] as const),
]

/** A session that shows every text written by others. */
async function aSession(): Promise<VirtualWorkspace> {
  const birds = defineToolset({
    name: 'birds',
    description: tricky('toolset-description'),
    instructions: tricky('toolset-instructions'),
    rules: tricky('toolset-rules'),
    tools: [search],
  })
  const catalog = await createCatalog({
    agents: [
      defineAgent({
        name: 'keeper',
        prompt: tricky('agent-prompt'),
        initialSkills: ['first'],
      }),
    ],
    skills: [
      aSkillOf('first'),
      aSkillOf('loaded', { toolsets: [birds] }),
      aSkillOf('listed'),
      aSkillOf('broken', { onActivate: () => Promise.reject(new Error(tricky('failure'))) }),
    ],
    toolsets: [birds],
    components: [notes, untitled],
    tools: [entities, slow],
    rules: [defineRules({ topic: 'birds', text: tricky('topic-rules') })],
  })
  const workspace = await VirtualWorkspace.open({
    catalog,
    agent: 'keeper',
    log: createMemoryLog(),
    discovery: {},
    metaTools: META_TOOLS,
  })
  await workspace.beginTurn()
  await workspace.activateSkill('loaded')
  await workspace.activateSkill('broken')
  await workspace.callTool('list_owls', {})
  await workspace.callTool('tool_search', { query: 'listed-tool-description' })
  const { data } = (await workspace.callTool('slow', {})) as { data: { call: string } }
  await workspace.calls.waitFor(data.call)
  await workspace.setSummary(tricky('summary'))
  await workspace.beginTurn()
  return workspace
}

const options = { date: tricky('date'), historyIsCut: true, schemasInRequest: false } as const

/** Every text of that session, in every form. */
const TOLD = [
  'agent-prompt',
  'path',
  'listed-tool-description',
  'date',
  'panel-title',
  'panel-line',
  'untitled',
  'summary',
  ...['first', 'loaded'].flatMap((name) =>
    ['display-name', 'base', 'instructions', 'file', 'tool-description'].map(
      (what) => `${name}-${what}`,
    ),
  ),
  ...['display-name', 'description', 'when', 'trigger'].map((what) => `listed-${what}`),
  'tool-description',
  'argument-name',
  'argument-description',
  'entity',
  'entity-id',
]

const XML = new Map([
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&amp;', '&'],
  ['&quot;', '"'],
])

test.each(['markdown', 'xml', 'text'] as const)(
  'nothing that a reader would not see is in the prompt as %s',
  async (format) => {
    const workspace = await aSession()
    const { instructions, conversation } = workspace.prompt({ ...options, format })
    const told = instructions + conversation
    expect(findHidden(told)).toEqual([])
    const plain = told.replaceAll(/&\w+;/gv, (written) => XML.get(written) ?? written)
    // Boxes break long lines.
    const joined = plain.replaceAll(/[\s│║]+/gv, '')
    expect(TOLD.filter((word) => !joined.includes(shown(word)))).toEqual([])
  },
)

test.each<[string, (workspace: VirtualWorkspace) => string | null, string]>([
  ['skills', (one) => one.renderSkillsSection(), 'listed-description'],
  ['tools', (one) => one.renderToolSection(), 'loaded-tool-description'],
  ['SKILL TOOLS', (one) => one.renderSkillToolsSection(), 'loaded-tool-description'],
])('nor in the box of %s', async (_what, render, word) => {
  const told = render(await aSession()) ?? ''
  expect(findHidden(told)).toEqual([])
  expect(told.replaceAll(/[\s│║]+/gv, '')).toContain(shown(word))
})

test.each<{ tool: string; input: object; words: readonly string[] }>([
  {
    tool: 'tool_search',
    input: { query: 'tool-description' },
    words: ['tool-description', 'topic-rules', 'toolset-rules', 'guidance-before', 'pitfall'],
  },
  {
    tool: 'loadTool',
    input: { toolName: 'find_owls' },
    words: ['tool-description', 'argument-name', 'argument-description', 'guidance-after'],
  },
  {
    tool: 'loadSkill',
    input: { skillName: 'listed' },
    words: ['display-name', 'instructions', 'file', 'base', 'tool-description'].map(
      (what) => `listed-${what}`,
    ),
  },
  { tool: 'loadSkillFile', input: { skillName: 'loaded', path: PATH }, words: ['file'] },
  { tool: 'listAvailableSkills', input: {}, words: ['listed-display-name', 'listed-description'] },
  {
    tool: 'listSkillToolsets',
    input: { skillName: 'loaded' },
    words: ['toolset-description'],
  },
  {
    tool: 'loadToolset',
    input: { toolsetName: 'birds' },
    words: ['toolset-description', 'toolset-instructions'],
  },
])('nor in what $tool answers', async ({ tool, input, words }) => {
  const workspace = await aSession()
  const answer = await workspace.callTool(tool, input, { caller: 'model' })
  expect(answer).toMatchObject({ ok: true })
  const told = textsIn(answer).join('\n')
  expect(findHidden(told)).toEqual([])
  expect(words.filter((word) => !told.includes(shown(word)))).toEqual([])
})

/** Every name and text of some data, as a model gets them once its JSON is read. */
function textsIn(data: unknown): readonly string[] {
  if (typeof data === 'string') return [data]
  if (typeof data !== 'object' || data === null) return []
  return Object.entries(data).flatMap(([name, member]) => [name, ...textsIn(member)])
}
