import type { ToolResponse, VirtualWorkspace } from 'loadout'

/** Call a tool as the model does; where that asks a person, say yes, and call again. */
export async function callAgreed(
  workspace: VirtualWorkspace,
  tool: string,
  input: object,
): Promise<ToolResponse> {
  const answer = await workspace.callTool(tool, input, { caller: 'model' })
  const asked = workspace.state.confirmations.find(({ consent }) => consent === 'pending')
  if (answer.ok || asked === undefined) return answer
  await workspace.approve(asked.id)
  return workspace.callTool(tool, input, { caller: 'model' })
}
