import {
  createCatalog,
  defineRules,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Tool,
  type ToolResponse,
  type WorkspaceOptions,
} from 'loadout'
import type { SearchPage } from '../../../../src/workspace/offer/discovery/search-page.ts'

type ToolSpec = Omit<Parameters<typeof defineTool>[0], 'name' | 'input' | 'output'>

/** A tool that takes a slug and answers with its own name. */
export function aTool(name: string, spec: Partial<ToolSpec> = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: { type: 'object', properties: { slug: { type: 'string' } } },
    execute: () => ({ ran: name }),
    ...spec,
  } as Parameters<typeof defineTool>[0]) as Tool
}

const images = defineSkill({
  name: 'cms-images',
  description: 'Everything about pictures of the site.',
  instructions: 'Prefer pictures that are there already.',
  tools: [
    aTool('cms_findImage', {
      description: 'Find the image that fits a description best.',
      topic: 'images',
      phrases: ['find image', 'find the hero image'],
      related: ['cms_deleteImage', 'cms_nowhere'],
      category: 'retrieval',
    }),
    aTool('cms_deleteImage', {
      description: 'Remove a picture for good.',
      topic: 'images',
      phrases: ['delete image'],
      risk: 'destructive',
      requiresConfirmation: true,
      guidance: { before: 'Ask which sections show it.', pitfalls: ['It cannot be undone.'] },
    }),
  ],
})

const pages = defineSkill({
  name: 'cms-pages',
  description: 'Everything about pages of the site.',
  tools: [
    aTool('cms_createPage', {
      description: 'Create a page.',
      topic: 'pages',
      phrases: ['create page', 'new page'],
    }),
  ],
})

export const definitions = {
  skills: [images, pages],
  tools: [
    aTool('weather_today', {
      description: 'Tell the weather of a city.',
      topic: 'weather',
      phrases: ['will it rain'],
      category: 'retrieval',
    }),
  ],
  rules: [
    defineRules({ topic: 'images', text: '**Images:** look at those there are first.' }),
    defineRules({ topic: 'pages', text: '**Pages:** slugs are small letters.' }),
  ],
}

/** A workspace that finds its tools by search, in its first turn. */
export async function aSearchingWorkspace(
  options: Omit<WorkspaceOptions, 'catalog'> = {},
  given: Parameters<typeof createCatalog>[0] = definitions,
): Promise<VirtualWorkspace> {
  const catalog = await createCatalog(given)
  const workspace = await VirtualWorkspace.open({ catalog, discovery: {}, ...options })
  await workspace.beginTurn()
  return workspace
}

/** Call a tool as a model does. */
export function modelCall(
  workspace: VirtualWorkspace,
  tool: string,
  input: unknown,
): Promise<ToolResponse> {
  return workspace.callTool(tool, input, { caller: 'model' })
}

/** The page a search answers with. */
export async function search(
  workspace: VirtualWorkspace,
  query: string,
  limit?: number,
): Promise<SearchPage> {
  const input = limit === undefined ? { query } : { query, limit }
  const response = await modelCall(workspace, 'tool_search', input)
  if (!response.ok) throw new Error(response.error.message)
  return response.data as SearchPage
}

/** Names of the tools of a page, with what it takes to call each. */
export function offered({ tools }: SearchPage): readonly string[] {
  return tools.map(({ name, callable = 'now' }) => `${name} ${callable}`)
}

/** The types of the events, from an entry on. */
export async function events(workspace: VirtualWorkspace, from = 0): Promise<readonly string[]> {
  return (await workspace.entries(from)).map(({ event }) => event.type)
}

/** The names of the tools the next request carries. */
export async function sent(workspace: VirtualWorkspace): Promise<readonly string[]> {
  return (await workspace.beginStep()).tools.map(({ name }) => name)
}
