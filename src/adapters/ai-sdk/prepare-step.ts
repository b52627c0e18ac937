import type { Instructions, PrepareStepFunction, ToolSet } from 'ai'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { conversationParts } from './conversation-parts.ts'
import { denyRefused } from './deny-refused.ts'
import type { LiveTools } from './live-tools.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { defersNatively, shownTools } from './shown-tools.ts'
import { UpdateLog } from './update-log.ts'
import { withoutDeadReferences } from './without-dead-references.ts'

/** Begin a step of the workspace before each request, and make the request of what it says. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  { prompt: asked = {}, trim, beginTurns = true }: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const prompt = trim === undefined ? asked : { historyIsCut: true, ...asked }
  const log = new UpdateLog(workspace, prompt, trim)
  return async (step) => {
    const { stepNumber, initialInstructions, experimental_steeringMessages: steering } = step
    const isFirst = stepNumber === 0
    if (isFirst) await denyRefused(workspace, step.messages)
    const isTurn = isFirst ? step.messages.at(-1)?.role === 'user' : steering !== undefined
    if (beginTurns && isTurn) await workspace.beginTurn({ by: 'user' })
    if (isFirst) await log.catchUp(step.messages)
    const messages = isFirst ? log.place(step.messages) : log.trim(step.messages)

    const begun = await workspace.beginStep(prompt)
    const isNative = defersNatively(begun.cost)
    calls.begin(isNative && (await isDeferring(workspace, begun.seq)))
    const { document, format } = workspace.prompt(prompt)
    const shown = shownTools(begun, workspace.state.exposed ?? [], messages)
    const sent = new Set(shown.tools.map(({ name }) => name))
    const whole = isNative ? withoutDeadReferences(messages, sent) : messages
    return {
      ...live.show(shown.tools, shown.deferred),
      ...instructionsOf(initialInstructions, begun.instructions),
      messages: log.tell(begun.seq, whole, conversationParts(document, format)),
    }
  }
}

/** Whether the step was planned by a strategy that defers, also when nothing is deferred yet. */
async function isDeferring(workspace: VirtualWorkspace, seq: number): Promise<boolean> {
  const [entry] = await workspace.entries(seq)
  return entry?.event.type === 'step.begun' && entry.event.strategy === 'deferred'
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
