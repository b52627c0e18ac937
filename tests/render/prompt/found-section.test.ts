import { expect, test } from 'vitest'
import type { WorkspaceEvent } from '../../../src/engine/model/workspace-event.ts'
import { defineTool } from '../../../src/tools/define-tool.ts'
import { buildPromptDocument } from '../../../src/render/prompt/build-prompt-document.ts'
import type { PromptOptions } from '../../../src/render/prompt/document/prompt-input.ts'
import { writeSection } from '../../../src/render/prompt/forms/write-prompt.ts'
import { defineSkill } from '../../../src/skills/definition/define-skill.ts'
import { aSession, aTool, type ASession } from './a-session.ts'

const getPage = defineTool({
  name: 'get_page',
  description: 'Read a page.',
  input: { type: 'object', properties: { slug: { type: 'string' } }, required: ['slug'] },
  run: () => null,
})
const clock = aTool('clock', 'Tell the time.')
const found = [getPage]

const session = () =>
  aSession({
    skills: [defineSkill({ name: 'pages', description: 'Pages.', tools: [getPage] })],
    tools: [clock],
  })

const enabled: WorkspaceEvent = {
  type: 'tools_enabled',
  search: 's',
  tools: [{ name: 'get_page', owner: 'pages', source: 'skill', hash: getPage.hash }],
  latencyMs: 1,
  hitRate: null,
}
const turn = (number: number): WorkspaceEvent => ({ type: 'turn.begun', turn: number })
const compacted: WorkspaceEvent = {
  type: 'session.compacted',
  sections: [],
  rules: [],
  tokens: 0,
}
const used: WorkspaceEvent = {
  type: 'call.started',
  call: 'c',
  tool: 'clock',
  source: 'global',
  owner: 'global',
  hash: clock.hash,
  digest: clock.hash,
  category: 'retrieval',
  caller: 'model',
  confirmation: null,
}

const BRIDGED: Partial<PromptOptions> = { schemasInRequest: 'meta-tools' }

function sectionOf(one: ASession, options: Partial<PromptOptions> = BRIDGED) {
  const { sections } = buildPromptDocument(one.input({ found, options }))
  return sections.find(({ id }) => id === 'found-tools')
}

function foundOf(one: ASession, options?: Partial<PromptOptions>): string | null {
  const section = sectionOf(one, options)
  return section ? writeSection(section, 'markdown') : null
}

test('what a search found is told when the next turn begins: until then its page tells of it', async () => {
  const first = (await session()).after(turn(1), enabled)
  expect(foundOf(first)).toBeNull()
  const second = first.after(turn(2))
  expect(foundOf(second)).toMatchInlineSnapshot(`
    "## Found tools

    These were found before and need no further search:

    - \`get_page\`

    "
  `)
  expect(foundOf(second.after(enabled))).toBe(foundOf(second))
})

test('after a summary, which no page outlives, it is told with its arguments, and stays so', async () => {
  const summarised = (await session()).after(turn(1), enabled, compacted)
  expect(foundOf(summarised)).toMatchInlineSnapshot(`
    "## Found tools

    These were found before and need no further search:

    - \`get_page\`: Read a page.
      - slug: string

    "
  `)
  expect(foundOf(summarised.after(turn(2)))).toBe(foundOf(summarised))
})

test('what was found after a summary is told by name, beside those found before', async () => {
  const after = (await session()).after(turn(1), compacted, enabled, turn(2))
  expect(foundOf(after)).not.toContain('slug')
  expect(foundOf(after)).toContain('`get_page`')
})

test.each<{ what: string; options: Partial<PromptOptions>; told: boolean }>([
  { what: 'a request with its schema', options: { schemasInRequest: true }, told: false },
  { what: 'a bridge', options: BRIDGED, told: false },
  {
    what: 'a host that cuts its history',
    options: { ...BRIDGED, historyIsCut: true },
    told: true,
  },
  {
    what: 'a cut history, its schema in the request',
    options: { schemasInRequest: true, historyIsCut: true },
    told: false,
  },
  { what: 'a text that stands alone', options: { schemasInRequest: false }, told: true },
])('$what has the arguments in the list of found tools: $told', async ({ options, told }) => {
  const second = (await session()).after(turn(1), enabled, turn(2))
  expect(foundOf(second, options)).toContain('`get_page`')
  expect(foundOf(second, options)?.includes('slug')).toBe(told)
})

test('a session that begins no turns is told at once', async () => {
  expect(foundOf((await session()).after(enabled))).toContain('`get_page`')
})

test('a found tool whose skill is loaded is said once', async () => {
  const begun = (await session()).after(enabled)
  expect(foundOf(begun.open('pages'))).toBeNull()
})

test('calls, and whatever else is remembered, leave the list the same object', async () => {
  const begun = (await session()).after(turn(1), enabled, turn(2))
  const before = sectionOf(begun)
  expect(before).toBeDefined()
  expect(sectionOf(begun.after(used))).toBe(before)
  expect(sectionOf(begun.after(used, turn(3)))).toBe(before)
})

test('a host that leaves working memory out leaves found tools out', async () => {
  const begun = (await session()).after(enabled)
  expect(foundOf(begun, { includeWorkingMemory: false })).toBeNull()
})
