import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/**
 * Whether a call may end in a question: the tool asks first, or it was found, its call loads the
 * skill it comes with, and it asks by its definition.
 */
export function mayAsk(workspace: VirtualWorkspace, tool: string): boolean {
  if (workspace.asksFirst(tool)) return true
  if (workspace.isToolAvailable(tool)) return false
  const { state, catalog } = workspace
  return state.found.some(
    ({ name, owner, hash }) =>
      name === tool &&
      catalog.skillTools
        .get(owner)
        ?.some(({ tool }) => tool.hash === hash && tool.requiresConfirmation) === true,
  )
}
