import { createCatalog, VirtualWorkspace, type WorkspaceOptions } from 'loadout'
import { META_TOOL_NAMES } from 'loadout/adapter'
import { expect, test } from 'vitest'
import { o200kCounter } from '../../../../src/workspace/open/o200k-counter.ts'
import {
  aSearchingWorkspace,
  aTool,
  definitions,
  modelCall,
  search,
} from '../discovery/a-searching-workspace.ts'

const available = async (
  options: Omit<WorkspaceOptions, 'catalog'>,
  given?: Parameters<typeof createCatalog>[0],
) => {
  const workspace = await aSearchingWorkspace(options, given)
  return workspace.getAvailableTools().map(({ name }) => name)
}

const tools = [aTool('only')]

test.each<
  [string, Omit<WorkspaceOptions, 'catalog'>, Parameters<typeof createCatalog>[0], string[]]
>([
  [
    'with search',
    {},
    definitions,
    ['tool_search', 'loadTool', 'loadSkill', 'loadSkillFile', 'unloadSkill'],
  ],
  ['with search and no skill', {}, { tools }, ['tool_search', 'loadTool']],
  [
    'with search over a bridge',
    { exposure: 'bridge' },
    { tools },
    ['tool_search', 'loadTool', 'call_tool'],
  ],
  [
    'as the host chose',
    { metaTools: ['tool_search', 'tool_search'] },
    definitions,
    ['tool_search'],
  ],
])('%s the meta-tools are those that are needed', async (_, options, given, names) => {
  const all = await available(options, given)
  expect(all.filter((name) => (META_TOOL_NAMES as readonly string[]).includes(name))).toEqual(names)
})

test('what a request carries before anything is found takes few tokens', async () => {
  const { count } = await o200kCounter()
  const workspace = await aSearchingWorkspace({ exposure: 'bridge' }, { tools })
  const { tools: sent } = await workspace.beginStep()
  const json = sent.map(({ name, description, inputSchema }) =>
    JSON.stringify({ name, description, inputSchema }),
  )
  expect(count(json.join('\n'))).toBeLessThanOrEqual(216)
})

test('loadTool gives what a page had no room for: schema, documentation, rules and guidance', async () => {
  const long = aTool('write_report', {
    description: `Write a report. ${'It has chapters. '.repeat(200)}`,
    documentation: 'All about {{ KIND }} reports.',
    topic: 'pages',
    guidance: { after: 'Tell where it is.' },
  })
  const workspace = await aSearchingWorkspace(
    { variables: { KIND: 'yearly' }, discovery: { pageTokens: 150 } },
    { ...definitions, tools: [long] },
  )
  const page = await search(workspace, 'write a report', 1)
  expect(page.shortened).toEqual(['write_report'])
  expect(page.tools[0]?.inputSchema).toBeUndefined()
  expect(await modelCall(workspace, 'loadTool', { toolName: 'write_report' })).toMatchObject({
    data: {
      description: long.description,
      documentation: 'All about yearly reports.',
      inputSchema: { properties: { slug: { type: 'string' } } },
      rules: '**Pages:** slugs are small letters.\n\n**write_report**\n- After: Tell where it is.',
    },
  })
})

test('a limit of the host’s is the default that the model reads', async () => {
  const catalog = await createCatalog(definitions)
  const limits = await Promise.all(
    [{}, { limit: 8 }].map(async (discovery) => {
      const workspace = await VirtualWorkspace.open({ catalog, discovery })
      const tool = workspace.getAvailableTools().find(({ name }) => name === 'tool_search')
      return tool?.inputSchema['properties']
    }),
  )
  expect(limits).toMatchObject([{ limit: { default: 5 } }, { limit: { default: 8 } }])
})
