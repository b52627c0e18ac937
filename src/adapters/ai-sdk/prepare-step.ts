import type {
  Instructions,
  ModelMessage,
  PrepareStepFunction,
  ToolModelMessage,
  ToolResultPart,
  ToolSet,
} from 'ai'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { recordDenials } from './answer-approvals.ts'
import { conversationParts } from './conversation-parts.ts'
import type { LiveTools } from './live-tools.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { defersNatively } from './sdk-tool.ts'
import { UpdateLog } from './update-log.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { WorkspaceStep } from '../../workspace/offer/begin-step.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

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
    if (isFirst) await recordDenials(workspace, step.messages)
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
    const whole = isNative ? dropDeadReferences(messages, sent) : messages
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

/**
 * The tools a request carries, and which of them deferred.
 *
 * What is deferred and was referred to has to be visible: where the provider cannot defer, it is
 * sent from then on and the rest is not; where it can, a tool whose reference is in no result
 * (the host loaded its skill, or the result was trimmed) is sent as if it were not deferred.
 */
function shownTools(
  { tools, deferred, cost }: Pick<WorkspaceStep, 'tools' | 'deferred' | 'cost'>,
  exposed: readonly ExposedTool[],
  messages: readonly ModelMessage[],
): { readonly tools: readonly Tool[]; readonly deferred: ReadonlySet<string> } {
  if (deferred.size === 0) return { tools, deferred }
  const wanted = new Set(exposed.flatMap(({ name, referenced }) => (referenced ? name : [])))
  if (!defersNatively(cost)) {
    const shown = tools.filter(({ name }) => !deferred.has(name) || wanted.has(name))
    return { tools: shown, deferred: new Set() }
  }
  const referred = referencesIn(messages)
  const hidden = [...deferred].filter((name) => !wanted.has(name) || referred.has(name))
  return { tools, deferred: new Set(hidden) }
}

function referencesIn(messages: readonly ModelMessage[]): ReadonlySet<unknown> {
  return new Set(
    messages
      .flatMap((message) => (message.role === 'tool' ? message.content : []))
      .flatMap((part) =>
        part.type === 'tool-result' && part.output.type === 'content' ? part.output.value : [],
      )
      .flatMap((part) => toolReference(part) ?? []),
  )
}

/**
 * Leave out references to tools that a request does not carry, such as those of a catalog that
 * has changed since: the provider refuses a request that has one.
 */
export function dropDeadReferences(
  messages: readonly ModelMessage[],
  sent: ReadonlySet<string>,
): readonly ModelMessage[] {
  const isDead = (part: ContentPart) => {
    const name = toolReference(part)
    return name !== undefined && !sent.has(name)
  }
  return messages.map((message) =>
    message.role === 'tool' ? withoutParts(message, isDead) : message,
  )
}

/** The message itself when it has none of these parts. */
function withoutParts(
  message: ToolModelMessage,
  isOut: (part: ContentPart) => boolean,
): ToolModelMessage {
  let isSame = true
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const value = part.output.value.filter((one) => !isOut(one))
    if (value.length === part.output.value.length) return part
    isSame = false
    return { ...part, output: { ...part.output, value } }
  })
  return isSame ? message : { ...message, content }
}

/** One part of a result that is made of several. */
type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

/** The tool that a part of a result refers to, in the form Anthropic's provider takes. */
function toolReference(part: ContentPart): string | undefined {
  if (part.type !== 'custom') return undefined
  const { type, toolName } = part.providerOptions?.['anthropic'] ?? {}
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined
}
