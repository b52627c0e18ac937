import {
  createCatalog,
  defineTool,
  VirtualWorkspace,
  type EventLog,
} from '../../../../src/entries/index.ts'

export const TOOLS = ['read', 'write', 'wipe'] as const

/** A change of the rules or the mode of a session above the child. */
export type FamilyChange = { readonly session: 'root' | 'parent' } & (
  { readonly rules: Readonly<Record<string, readonly string[]>> } | { readonly mode: string }
)

const catalog = await createCatalog({
  tools: TOOLS.map((name) => defineTool({ name, description: name, execute: () => name })),
})

const policy = { modes: { careful: { tools: ['read', 'write'] } } }

/** Opens a session of a log by itself, whatever is above or below it: the same in every process. */
export function aMember(log: EventLog, session: string): Promise<VirtualWorkspace> {
  return VirtualWorkspace.open({ catalog, log, session, policy, metaTools: [] })
}

/** Opens a root with a child, and a child of that. They stay open in the log when the root is closed. */
export async function aFamily(log: EventLog): Promise<VirtualWorkspace> {
  const root = await aMember(log, 'root')
  const parent = await root.sessions.child({ session: 'parent' })
  await parent.sessions.child({ session: 'child' })
  return root
}
