import type { Instructions, ModelMessage, PrepareStepFunction, ToolSet } from 'ai'
import type { AiSdkOptions } from './ai-sdk-options.ts'
import { recordDenials } from './answer-approvals.ts'
import { fitParts } from './fit-parts.ts'
import type { LiveTools } from './live-tools.ts'
import { readMessage } from './read-message.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { SentNames } from './sent-names.ts'
import { dropDeadReferences } from './drop-dead-references.ts'
import { modelCarries, writeToolChange } from './write-tool-change.ts'
import type { StepMessage } from '../../workspace/offer/conversation/history-message.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/** Begins a step of the workspace before each request, and builds the request from it. */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  { prompt = {}, trim, beginTurns = true }: AiSdkOptions,
): PrepareStepFunction<ToolSet> {
  const run = new RunHistory()
  const names = new SentNames(workspace)
  return async (step) => {
    const { stepNumber, initialInstructions, experimental_steeringMessages: steering } = step
    const history = run.read(step.messages, stepNumber === 0)
    if (stepNumber === 0) await recordDenials(workspace, history)
    const isTurn = stepNumber === 0 ? history.at(-1)?.role === 'user' : steering !== undefined
    if (beginTurns && isTurn) await workspace.beginTurn({ by: 'user' })

    const { form, ...carried } = modelCarries(step.model)
    const begun = await workspace.beginStep({
      ...prompt,
      ...carried,
      history: history.map((message) => readMessage(message, names)),
      ...(trim && { trim }),
    })
    const started = names.step(begun)
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
 * The host's own messages of a run. The SDK hands the messages of one step to the next, with those of the
 * workspace in them and without those that were trimmed.
 */
class RunHistory {
  readonly #ours = new WeakSet<ModelMessage>()
  #host: readonly ModelMessage[] = []
  #sent: readonly ModelMessage[] = []

  /** Returns the history of the host from the messages that the SDK gives to a step. */
  read(messages: readonly ModelMessage[], isFirst: boolean): readonly ModelMessage[] {
    const follows = !isFirst && this.#sent.every((message, index) => message === messages[index])
    this.#host = follows
      ? [...this.#host, ...messages.slice(this.#sent.length)]
      : messages.filter((message) => !this.#ours.has(message))
    return this.#host
  }

  /** Notes the messages of a request, and returns them. */
  sent(step: readonly StepMessage[], messages: readonly ModelMessage[]): ModelMessage[] {
    for (const [index, message] of messages.entries()) {
      if (step[index]?.kind !== 'history') this.#ours.add(message)
    }
    this.#sent = messages
    return [...messages]
  }
}
