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
import { fitParts } from './fit-parts.ts'
import type { LiveTools } from './live-tools.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { defersNatively } from './sdk-tool.ts'
import { UpdateLog } from './update-log.ts'
import type { ExposedTool } from '../../engine/model/workspace-event.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { WorkspaceStep } from '../../workspace/offer/begin-step.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** Begins a step of the workspace before each request, and builds the request from it. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  { prompt: promptOptions = {}, trim, beginTurns = true }: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const prompt = trim === undefined ? promptOptions : { historyIsCut: true, ...promptOptions }
  const log = new UpdateLog(workspace, prompt, trim)
  return async (step) => {
    const { stepNumber, initialInstructions, experimental_steeringMessages: steering } = step
    const isFirst = stepNumber === 0
    if (isFirst) await recordDenials(workspace, step.messages)
    const isTurn = isFirst ? step.messages.at(-1)?.role === 'user' : steering !== undefined
    if (beginTurns && isTurn) await workspace.beginTurn({ by: 'user' })
    if (isFirst) await log.catchUp(step.messages)
    const messages = isFirst ? log.place(step.messages) : log.trim(step.messages)

    const started = await workspace.beginStep(prompt)
    const isNative = defersNatively(started.cost)
    calls.begin(isNative && (await isDeferring(workspace, started.seq)))
    const { document, format } = workspace.prompt(prompt)
    const shown = shownTools(started, workspace.state.exposed ?? [], messages)
    const sent = new Set(shown.tools.map(({ name }) => name))
    const valid = isNative ? dropDeadReferences(messages, sent) : messages
    const complete = valid.map((message) => fitParts(message, step.model))
    return {
      ...live.show(shown.tools, shown.deferred),
      ...instructionsOf(initialInstructions, started.instructions),
      messages: log.record(started.seq, complete, conversationParts(document, format)),
    }
  }
}

/** Returns true when the step uses a strategy that defers, even if nothing is deferred yet. */
async function isDeferring(workspace: VirtualWorkspace, seq: number): Promise<boolean> {
  const [entry] = await workspace.entries(seq)
  return entry?.event.type === 'step.begun' && entry.event.strategy === 'deferred'
}

/**
 * Returns the host's own instructions followed by those of the workspace, both complete at every
 * step.
 */
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
 * Selects the tools of a request, and which of them are deferred.
 *
 * A deferred tool that was referred to must be visible. Where the provider cannot defer, it is sent
 * from then on and the other deferred tools are not. Where the provider can defer, a tool without a
 * reference in any result (the host activated its skill, or the result was trimmed) is sent as not
 * deferred.
 */
function shownTools(
  { tools, deferred, cost }: Pick<WorkspaceStep, 'tools' | 'deferred' | 'cost'>,
  exposed: readonly ExposedTool[],
  messages: readonly ModelMessage[],
): { readonly tools: readonly Tool[]; readonly deferred: ReadonlySet<string> } {
  if (deferred.size === 0) return { tools, deferred }
  const referencedNames = new Set(
    exposed.flatMap(({ name, referenced }) => (referenced ? name : [])),
  )
  if (!defersNatively(cost)) {
    const shown = tools.filter(({ name }) => !deferred.has(name) || referencedNames.has(name))
    return { tools: shown, deferred: new Set() }
  }
  const referred = referencesIn(messages)
  const hidden = [...deferred].filter((name) => !referencedNames.has(name) || referred.has(name))
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
 * Removes references to tools that a request does not carry, such as those of an older catalog: the
 * provider refuses a request with such a reference.
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

/** Returns the message without these parts; the same object when it has none of them. */
function withoutParts(
  message: ToolModelMessage,
  isDropped: (part: ContentPart) => boolean,
): ToolModelMessage {
  let isSame = true
  const content = message.content.map((part) => {
    if (part.type !== 'tool-result' || part.output.type !== 'content') return part
    const value = part.output.value.filter((item) => !isDropped(item))
    if (value.length === part.output.value.length) return part
    isSame = false
    return { ...part, output: { ...part.output, value } }
  })
  return isSame ? message : { ...message, content }
}

/** One part of a result that has several. */
type ContentPart = Extract<ToolResultPart['output'], { type: 'content' }>['value'][number]

/** Returns the tool to which a part of a result refers, in the form of Anthropic's provider. */
function toolReference(part: ContentPart): string | undefined {
  if (part.type !== 'custom') return undefined
  const { type, toolName } = part.providerOptions?.['anthropic'] ?? {}
  return type === 'tool-reference' && typeof toolName === 'string' ? toolName : undefined
}
