import {
  createCatalog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Skill,
  type Tool,
  type WorkspaceOptions,
} from 'loadout'

type ToolParts = Omit<Partial<Parameters<typeof defineTool>[0]>, 'name'>

/** A tool without arguments that answers with its own name by default. */
export function aTool(name: string, more: ToolParts = {}): Tool {
  return defineTool({
    name,
    description: `Does ${name}.`,
    execute: () => name,
    ...more,
  } as Parameters<typeof defineTool>[0]) as Tool
}

/** A skill with a tool of its own name by default. */
export function aSkill(name: string, more: Partial<Parameters<typeof defineSkill>[0]> = {}): Skill {
  return defineSkill({
    name,
    description: `For ${name}.`,
    tools: [aTool(`${name}_tool`)],
    ...more,
  })
}

type Definitions = Parameters<typeof createCatalog>[0]

/** A workspace over some definitions, without meta-tools unless asked for. */
export async function aWorkspace(
  definitions: Definitions,
  options: Omit<WorkspaceOptions, 'catalog'> = {},
): Promise<VirtualWorkspace> {
  const catalog = await createCatalog(definitions)
  return VirtualWorkspace.open({ catalog, metaTools: [], ...options })
}

/** The names of the tools that can be called now. */
export function available(workspace: VirtualWorkspace): readonly string[] {
  return workspace.getAvailableTools().map(({ name }) => name)
}

/** The entries from `from` on as text, without times and hashes. */
export async function history(workspace: VirtualWorkspace, from = 0): Promise<readonly string[]> {
  const entries = await workspace.entries(from)
  return entries.map(({ event }) => {
    const parts = event as unknown as Readonly<Record<string, unknown>>
    const about =
      parts['owner'] ?? parts['tool'] ?? parts['skill'] ?? parts['subject'] ?? parts['component']
    const code = event.type === 'command.refused' ? ` (${event.code})` : ''
    return `${event.type}${about === undefined ? '' : ` ${String(about)}`}${code}`
  })
}
