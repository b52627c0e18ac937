import type { Instructions, LanguageModel, ModelMessage, PrepareStepFunction, ToolSet } from 'ai'
import type { StepMessage } from '../../../entries/adapter.ts'
import { WorkspaceError } from '../../../entries/index.ts'
import { readMessage } from './read-message.ts'
import { messageKey } from '../../../workspace/offer/conversation/history-message.ts'

/** The `prepareStep` of a host. */
// oxlint-disable-next-line typescript/no-explicit-any -- the host chooses the type of its context
export type HostPrepareStep = PrepareStepFunction<ToolSet, any>

/** The SDK's information about a step. */
export type SdkStep = Parameters<HostPrepareStep>[0]

/** The settings that a `prepareStep` returns. */
export type StepSettings = NonNullable<Awaited<ReturnType<HostPrepareStep>>>

/** The host's part of a step, to which the workspace adds its own. */
export interface HostStep {
  readonly model: LanguageModel
  readonly instructions: Instructions | undefined
  readonly messages: readonly ModelMessage[]
  /** The settings that the workspace does not change. */
  readonly others: StepSettings
}

/**
 * The host's part of a run: its own messages, instructions and `prepareStep`.
 *
 * The SDK hands the messages and instructions of one step to the next, with those of the workspace in them and
 * without those that were trimmed. Messages are compared by content: a host may copy them, such as to mark where
 * the provider caches.
 */
export class HostRun {
  readonly #prepareStep: HostPrepareStep
  /** The messages of the workspace in the requests of this run. */
  readonly #ours = new Set<ModelMessage>()
  #messages: readonly ModelMessage[] = []
  #instructions: Instructions | undefined
  #sent: readonly ModelMessage[] = []

  constructor(prepareStep: HostPrepareStep) {
    this.#prepareStep = prepareStep
  }

  /**
   * Asks the host's `prepareStep`, which sees its own messages and instructions. Those that it returns replace
   * them in this step and later ones, as the SDK does it.
   */
  async step(given: SdkStep): Promise<HostStep> {
    this.#messages = this.#own(given)
    if (given.stepNumber === 0) this.#instructions = given.initialInstructions
    const instructions = this.#instructions
    const settings = await this.#prepareStep({
      ...given,
      instructions,
      messages: [...this.#messages],
    })
    const { messages = this.#messages, model = given.model, system, ...others } = settings ?? {}
    if (others.toolOrder !== undefined) throw notComposed('prepareStep', 'toolOrder')
    this.#messages = messages
    this.#instructions = others.instructions ?? system ?? instructions
    return { model, instructions: this.#instructions, messages, others }
  }

  /** Notes the messages of a request, each with those that the workspace sends after it, and returns them. */
  sent(
    step: readonly StepMessage[],
    messages: readonly (readonly [ModelMessage, ...ModelMessage[]])[],
  ): ModelMessage[] {
    for (const [index, [message, ...after]] of messages.entries()) {
      if (step[index]?.kind !== 'history') this.#ours.add(message)
      for (const one of after) this.#ours.add(one)
    }
    this.#sent = messages.flat()
    return [...this.#sent]
  }

  /** Returns the messages of the host among those that the SDK gives to a step. */
  #own({ messages, stepNumber }: SdkStep): readonly ModelMessage[] {
    if (stepNumber === 0) {
      this.#ours.clear()
      return messages
    }
    const follows = this.#sent.every((sent, index) => {
      const given = messages[index]
      return sent === given || (given !== undefined && this.#key(sent) === this.#key(given))
    })
    if (follows) return [...this.#messages, ...messages.slice(this.#sent.length)]
    const ours = new Set([...this.#ours].map((message) => this.#key(message)))
    return messages.filter((message) => !ours.has(this.#key(message)))
  }

  #key(message: ModelMessage): string {
    return messageKey(readMessage(message))
  }
}

/** Creates the error for a field that a function of the host may not return. */
export function notComposed(by: string, field: string, hint = ORDER_HINT): WorkspaceError {
  return new WorkspaceError('CALL_INVALID', `"${by}" returns "${field}".`, {
    hint,
    facts: { by, field },
  })
}

const ORDER_HINT =
  'Leave it out. The workspace orders the tools, so that what the provider has cached stays a prefix.'
