import * as sdk from 'ai'
import type {
  AssistantContent,
  LanguageModel,
  ModelMessage,
  StreamTextResult,
  ToolApprovalResponse,
  ToolContent,
  ToolLoopAgentSettings,
  ToolSet,
} from 'ai'
import type { StepRun } from '../../../entries/adapter.ts'
import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, contentHash, type OptionsOf } from '../../../entries/kit.ts'
import { AI_SDK_OPTIONS, type AiSdkOptions } from './ai-sdk-options.ts'
import { type OpenRequest, openRequests } from './answer-approvals.ts'
import { type AiSdkSettings, forAiSdk } from './for-ai-sdk.ts'
import { plainJson } from './keeps-answers.ts'

/** The settings of an agent that `durableTurn` does not make itself, such as `instructions`. */
export type DurableAgentSettings = Omit<
  ToolLoopAgentSettings<never, ToolSet>,
  'model' | 'stopWhen' | keyof AiSdkSettings
>

/** A question to a person, for which an engine waits. */
export interface DurableQuestion {
  /** The id of the call. It is the same in each attempt, so an engine may name its signal after it. */
  readonly id: string
  readonly tool: string
  readonly input: unknown
}

/** The answer of a person. */
export type DurableAnswer = boolean | { readonly approved: boolean; readonly reason?: string }

/** Options of `durableTurn`. */
export interface DurableTurnOptions {
  /** Opens the session of the conversation, with a log that other processes reach. Each step opens it, and closes it. */
  open(): Promise<VirtualWorkspace>
  readonly model: LanguageModel
  /** The conversation so far. Its last message is that of the user. */
  readonly messages: readonly ModelMessage[]
  /**
   * Does work as one step of the engine, and resolves with its result: plain JSON, also when an earlier process had it. An
   * engine without steps calls `work`: a step that was made gives what it gave then.
   */
  step<Result>(name: string, work: () => Promise<Result>): Promise<Result>
  /** Waits for the answer of a person by the means of the engine; null when none comes any more, which is a no. */
  wait(question: DurableQuestion): Promise<DurableAnswer | null | undefined>
  /** The name of the engine and its id of the run, for the log. The same messages in another run are another turn. */
  readonly run?: StepRun
  /** The most requests to the model; 20 by default. */
  readonly maxSteps?: number
  /** Gets the stream of each step while it is made, and is awaited. Without it, answers are not streamed. */
  onStream?(stream: StreamTextResult<ToolSet, never, never>, name: string): Promise<void> | void
  /** Further settings of the agent. */
  readonly agent?: DurableAgentSettings
  /** Options of `forAiSdk`. */
  readonly options?: Omit<AiSdkOptions, 'durable'>
  /** Ends the turn early. */
  readonly signal?: AbortSignal
}

const DURABLE_OPTIONS: OptionsOf<DurableTurnOptions> = {
  open: 'function',
  model: true,
  messages: 'list',
  step: 'function',
  wait: 'function',
  run: AI_SDK_OPTIONS.durable,
  maxSteps: 'number',
  onStream: 'function',
  agent: 'object',
  options: AI_SDK_OPTIONS,
  signal: 'signal',
}

/** The end of a turn. */
export interface DurableTurn {
  /** All messages, with those of the turn: plain JSON, to be stored for the next turn. */
  readonly messages: readonly ModelMessage[]
  /** The last text of the model. */
  readonly text: string
  /** `tool-calls` after `maxSteps`, and where calls wait for the client; else the reason of the last answer. */
  readonly finishReason: string
  /** The number of steps of the engine. */
  readonly steps: number
}

/** The result of one step, as an engine stores it. */
interface MadeStep {
  readonly messages: readonly ModelMessage[]
  readonly text: string
  readonly finishReason: string
  readonly questions: readonly OpenRequest[]
  /** True when a call waits for the client, whose result the next turn has. */
  readonly isOpen: boolean
}

/**
 * Makes one turn of an agent in steps of a workflow engine: each step is one request to the model and the calls of its
 * answer, in a session that is opened for it. A process may die at any moment. The answer of the model is in the log before
 * its calls are made, so a step that is made again has the same calls, and each of them runs once; one whose process died
 * while it ran fails with `ABORTED`, unless its tool is `idempotent`. Questions to a person end a step, and wait by the means
 * of the engine.
 *
 *     const { text } = await durableTurn({
 *       open, model, messages,
 *       step: (name, work) => DBOS.runStep(work, { name }),
 *       wait: ({ id }) => DBOS.recv(id, 7 * 86_400),
 *     })
 *
 * Rejects with `OPTIONS_INVALID`, and with the errors of the engine, the model and the log: a step that rejected can be made
 * again.
 */
export async function durableTurn(options: DurableTurnOptions): Promise<DurableTurn> {
  checkOptions(options, DURABLE_OPTIONS)
  const { step, wait, maxSteps = 20, signal } = options
  const given = asStored(options.messages)
  // Not the history: an attempt may have other results in it.
  const turn = contentHash(given).slice(-24)
  let messages = given
  for (let at = 0; ; at += 1) {
    signal?.throwIfAborted()
    const before = messages
    const name = `step-${at}`
    const made = await step(name, () => makeStep(name, `${turn}/${at}`, before, options))
    messages = [...before, ...made.messages]
    const { text, finishReason, questions, isOpen } = made
    const isOver = questions.length === 0 && (finishReason !== 'tool-calls' || isOpen)
    if (isOver || at + 1 >= maxSteps) return { messages, text, finishReason, steps: at + 1 }
    if (questions.length === 0) continue
    messages = [...messages, { role: 'tool', content: await answers(questions, wait) }]
  }
}

async function makeStep(
  name: string,
  place: string,
  messages: readonly ModelMessage[],
  { open, model, run = {}, agent: settings, options, onStream, signal }: DurableTurnOptions,
): Promise<MadeStep> {
  const workspace = await open()
  try {
    const followed = forAiSdk(workspace, { ...options, durable: { ...run, step: place } })
    // Not by name: an earlier version of the SDK lacks it, and is refused with a sentence.
    const agent = new sdk.ToolLoopAgent({
      ...settings,
      model,
      ...followed,
      stopWhen: sdk.isStepCount(1),
    })
    const request = { messages: [...messages], ...(signal && { abortSignal: signal }) }
    const answer = onStream ? await agent.stream(request) : await agent.generate(request)
    if ('textStream' in answer) await onStream?.(answer as never, name)
    const [finishReason, text] = [await answer.finishReason, await answer.text]
    if (finishReason === 'error') {
      throw new WorkspaceError('ANSWER_FAILED', 'The answer of the model ended with an error.', {
        hint: 'Nothing of it is kept, and none of its calls ran: make the step again.',
      })
    }
    const fresh = asStored(await answer.responseMessages)
    const questions = openRequests(fresh)
    return { messages: fresh, text, finishReason, questions, isOpen: hasOpenCall(fresh, questions) }
  } finally {
    await workspace.close()
  }
}

type MessagePart = Exclude<(AssistantContent | ToolContent)[number], string>

function hasOpenCall(
  messages: readonly ModelMessage[],
  questions: readonly OpenRequest[],
): boolean {
  const parts = messages.flatMap(({ role, content }) =>
    role === 'user' || typeof content === 'string' ? [] : (content as readonly MessagePart[]),
  )
  const over = new Set([
    ...questions.map(({ toolCallId }) => toolCallId),
    ...parts.flatMap((part) => (part.type === 'tool-result' ? part.toolCallId : [])),
  ])
  return parts.some(
    (part) =>
      part.type === 'tool-call' && part.providerExecuted !== true && !over.has(part.toolCallId),
  )
}

/** Waits for the answers one after the other, so that an engine that replays waits in the same order. */
async function answers(
  questions: readonly OpenRequest[],
  wait: DurableTurnOptions['wait'],
): Promise<ToolApprovalResponse[]> {
  const content: ToolApprovalResponse[] = []
  for (const { approvalId, toolCallId: id, toolName: tool, input } of questions) {
    const given = (await wait({ id, tool, input })) ?? {
      approved: false,
      reason: 'Nobody answered.',
    }
    const answer = typeof given === 'boolean' ? { approved: given } : given
    if (typeof answer !== 'object' || typeof answer.approved !== 'boolean') throw badAnswer(tool)
    content.push({ type: 'tool-approval-response', approvalId, ...answer })
  }
  return content
}

/** Returns messages in the form in which an engine stores them, so that the first attempt sends the same as later ones. */
function asStored(messages: readonly ModelMessage[]): ModelMessage[] {
  return plainJson(messages) as unknown as ModelMessage[]
}

function badAnswer(tool: string): WorkspaceError {
  return new WorkspaceError('OPTIONS_INVALID', `"wait" resolved with no answer about "${tool}".`, {
    hint: 'Resolve with true, false, { approved, reason }, or null when nobody answers.',
    facts: { tool },
  })
}
