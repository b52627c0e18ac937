import type { Instructions, ModelMessage, PrepareStepFunction, ToolSet } from 'ai'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { conversationParts } from './conversation-parts.ts'
import { denyRefused } from './deny-refused.ts'
import type { LiveTools } from './live-tools.ts'
import { partsToTell } from './parts-to-tell.ts'
import { placeUpdates, updatesIn } from './place-updates.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { shownTools } from './shown-tools.ts'
import { toldSkills } from './told-skills.ts'
import { trimMessages } from './trim-messages.ts'
import { UpdateLog } from './update-log.ts'
import { hadParts, messageOf, updateFor, type Anchor } from './workspace-update.ts'

/** Begin a step of the workspace before each request, and make the request of what it says. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  { prompt = {}, trim, beginTurns = true }: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const log = new UpdateLog(workspace, prompt)
  return async (step) => {
    const { stepNumber, initialInstructions, experimental_steeringMessages: steering } = step
    calls.forget()
    const isFirst = stepNumber === 0
    if (isFirst) await denyRefused(workspace, step.messages)
    const isTurn = isFirst ? step.messages.at(-1)?.role === 'user' : steering !== undefined
    if (beginTurns && isTurn) await workspace.beginTurn({ by: 'user' })
    if (isFirst) await log.catchUp(step.messages)
    const placed = isFirst
      ? placeUpdates(step.messages, log.updates, workspace.state.turn)
      : step.messages
    const messages = trim === undefined ? placed : trimMessages(placed, trim, log.isOurs)

    const begun = await workspace.beginStep(prompt)
    const { document, format } = workspace.prompt(prompt)
    const parts = partsToTell(
      conversationParts(document, format),
      workspace.state,
      toldSkills(messages),
    )
    const had = hadParts(updatesIn(messages, log.updates))
    const update = updateFor(parts, had, log.summarised)
    const shown = shownTools(begun, workspace.state.exposed ?? [], messages)
    const anchor = anchorOf(messages, workspace.state.turn)
    log.note(begun.seq, update === null ? null : { ...update, anchor })
    return {
      ...live.show(shown.tools, shown.deferred),
      ...instructionsOf(initialInstructions, begun.instructions),
      messages: update === null ? [...messages] : inserted(messages, messageOf(update)),
    }
  }
}

/** What is new goes to the end; a message of the user that was never sent stays the last word. */
function inserted(messages: readonly ModelMessage[], update: ModelMessage): ModelMessage[] {
  const last = messages.at(-1)
  return last?.role === 'user' ? [...messages.slice(0, -1), update, last] : [...messages, update]
}

function anchorOf(messages: readonly ModelMessage[], turn: number): Anchor | null {
  const last = messages.at(-1)
  if (last?.role === 'user') return turn === 0 ? null : { before: 'turn', turn }
  if (last?.role !== 'tool') return null
  const calls = last.content.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : []))
  return { before: 'answer', calls }
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
