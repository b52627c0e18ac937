import {
  type Instructions,
  InvalidPromptError,
  type ModelMessage,
  type PrepareStepFunction,
  type ToolResultPart,
  type ToolSet,
} from 'ai'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { recordDenials } from './answer-approvals.ts'
import { fitParts } from './fit-parts.ts'
import type { LiveTools } from './live-tools.ts'
import { readMessage } from './read-message.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { SentNames } from './sent-names.ts'
import { dropDeadReferences } from './drop-dead-references.ts'
import { modelCarries, writeToolChange } from './write-tool-change.ts'
import { LOST_RESULT } from '../../tools/response/model-text.ts'
import { ModelConversation } from '../../workspace/model-conversation.ts'
import { messageKey, type StepMessage } from '../../workspace/offer/conversation/history-message.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** Begins a step of the workspace before each request, and builds the request from it. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  options: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const names = new SentNames(workspace)
  const run = new RunHistory(names)
  const conversation = new ModelConversation(workspace, 'openai', options)
  return async (step) => {
    const { stepNumber, initialInstructions } = step
    if (stepNumber === 0 && options.allowSystemInMessages !== true) refuseSystem(step.messages)
    const history = withAllResults(run.read(step.messages, stepNumber === 0))
    if (stepNumber === 0) await recordDenials(workspace, history)
    const { form, ...carried } = modelCarries(step.model)
    const read = history.map((message) => readMessage(message, names))
    const started = names.step(await conversation.beginStep(read, carried))
    calls.begin(started.exposure.strategy === 'deferred')
    const sent = new Set(started.tools.map(({ name }) => name))
    const write = (one: StepMessage): ModelMessage => {
      switch (one.kind) {
        case 'history':
          return fitParts(dropDeadReferences(history[one.index] as ModelMessage, sent), step.model)
        case 'text':
          return { role: 'user', content: one.text }
        case 'tools':
          return writeToolChange(one, form)
      }
    }
    return {
      ...live.show(started, form),
      ...instructionsOf(initialInstructions, started.instructions),
      messages: run.sent(started.messages, started.messages.map(write)),
    }
  }
}

/** Refuses messages of the system as the SDK does by itself. */
function refuseSystem(messages: readonly ModelMessage[]): void {
  if (messages.every(({ role }) => role !== 'system')) return
  throw new InvalidPromptError({
    prompt: messages,
    message:
      'System messages are not allowed in the prompt or messages fields. Use the instructions option instead, or ' +
      'forAiSdk(workspace, { allowSystemInMessages: true }).',
  })
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
 * Gives each call without a result one that says so: providers refuse a history without it. Such a call was in
 * an answer that was cut, or its run ended before it.
 */
function withAllResults(history: readonly ModelMessage[]): readonly ModelMessage[] {
  let open = new Map<string, ToolResultPart>()
  const complete: ModelMessage[] = []
  const close = () => {
    if (open.size > 0) complete.push({ role: 'tool', content: [...open.values()] })
    open = new Map()
  }
  for (const message of history) {
    if (message.role !== 'tool') close()
    complete.push(message)
    if (message.role === 'tool') {
      for (const part of message.content) if ('toolCallId' in part) open.delete(part.toolCallId)
    } else if (message.role === 'assistant' && typeof message.content !== 'string') {
      for (const part of message.content) {
        if (part.type !== 'tool-call' || part.providerExecuted === true) continue
        const { toolCallId, toolName } = part
        const output = { type: 'error-text' as const, value: LOST_RESULT }
        open.set(toolCallId, { type: 'tool-result', toolCallId, toolName, output })
      }
    }
  }
  close()
  return complete
}

/**
 * The host's own messages of a run. The SDK hands the messages of one step to the next, with those of the
 * workspace in them and without those that were trimmed. Messages are compared by content: a host may copy
 * them, such as to mark where the provider caches.
 */
class RunHistory {
  readonly #names: SentNames
  readonly #ours = new Set<string>()
  #host: readonly ModelMessage[] = []
  #sent: readonly ModelMessage[] = []

  constructor(names: SentNames) {
    this.#names = names
  }

  /** Returns the history of the host from the messages that the SDK gives to a step. */
  read(messages: readonly ModelMessage[], isFirst: boolean): readonly ModelMessage[] {
    const follows =
      !isFirst && this.#sent.every((sent, index) => this.#isSame(sent, messages[index]))
    if (isFirst) this.#ours.clear()
    this.#host = follows
      ? [...this.#host, ...messages.slice(this.#sent.length)]
      : messages.filter((message) => !this.#ours.has(this.#key(message)))
    return this.#host
  }

  /** Notes the messages of a request, and returns them. */
  sent(step: readonly StepMessage[], messages: readonly ModelMessage[]): ModelMessage[] {
    for (const [index, message] of messages.entries()) {
      if (step[index]?.kind !== 'history') this.#ours.add(this.#key(message))
    }
    this.#sent = messages
    return [...messages]
  }

  #isSame(sent: ModelMessage, given: ModelMessage | undefined): boolean {
    return sent === given || (given !== undefined && this.#key(sent) === this.#key(given))
  }

  #key(message: ModelMessage): string {
    return messageKey(readMessage(message, this.#names))
  }
}
