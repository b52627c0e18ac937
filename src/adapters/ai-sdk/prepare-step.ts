import type { Instructions, PrepareStepFunction, ToolSet } from 'ai'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { conversationParts } from './conversation-parts.ts'
import { denyRefused } from './deny-refused.ts'
import type { LiveTools } from './live-tools.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { shownTools } from './shown-tools.ts'
import { UpdateLog } from './update-log.ts'

/** Begin a step of the workspace before each request, and make the request of what it says. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  { prompt = {}, trim, beginTurns = true }: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const log = new UpdateLog(workspace, prompt, trim)
  return async (step) => {
    const { stepNumber, initialInstructions, experimental_steeringMessages: steering } = step
    const isFirst = stepNumber === 0
    calls.forget()
    if (isFirst) await denyRefused(workspace, step.messages)
    const isTurn = isFirst ? step.messages.at(-1)?.role === 'user' : steering !== undefined
    if (beginTurns && isTurn) await workspace.beginTurn({ by: 'user' })
    if (isFirst) await log.catchUp(step.messages)
    const messages = isFirst ? log.place(step.messages) : log.trim(step.messages)

    const begun = await workspace.beginStep(prompt)
    const { document, format } = workspace.prompt(prompt)
    const shown = shownTools(begun, workspace.state.exposed ?? [], messages)
    return {
      ...live.show(shown.tools, shown.deferred),
      ...instructionsOf(initialInstructions, begun.instructions),
      messages: log.tell(begun.seq, messages, conversationParts(document, format)),
    }
  }
}

/** The host's own instructions, then those of the workspace; both whole, at every step. */
function instructionsOf(
  own: Instructions | undefined,
  ours: string,
): { readonly instructions?: Instructions } {
  if (ours === '') return own === undefined ? {} : { instructions: own }
  if (own === undefined || own === '') return { instructions: ours }
  if (typeof own === 'string') return { instructions: `${own}\n\n${ours}` }
  const list = Array.isArray(own) ? own : [own]
  return { instructions: [...list, { role: 'system', content: ours }] }
}
