import type {
  LanguageModelV4CallOptions,
  LanguageModelV4StreamPart,
  LanguageModelV4ToolCall,
} from '@ai-sdk/provider'
import * as sdk from 'ai'
import {
  type Instructions,
  InvalidPromptError,
  type LanguageModel,
  type LanguageModelMiddleware,
  type ModelMessage,
  type PrepareStepFunction,
  type ToolChoice,
  type ToolSet,
  wrapLanguageModel,
} from 'ai'
import type { StepMessage } from '../../../entries/adapter.ts'
import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { isObject, memberMemo, wellFormed } from '../../../entries/kit.ts'
import { recordDenials } from './answer-approvals.ts'
import { fitParts } from './fit-parts.ts'
import { answerOfCalls, givesAnswer, keepsAnswers } from './keeps-answers.ts'
import type { HostCall } from './host-call.ts'
import { HostRun } from './host-run.ts'
import {
  type LiveTools,
  sentStep,
  type ShownTools,
  type ToolNames,
  withCallNames,
} from './live-tools.ts'
import {
  type FinishedAnswer,
  readFinish,
  readHistory,
  withAllResults,
  withoutResults,
} from './read-message.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { dropDeadReferences } from './model-output.ts'
import { modelCarries, writeToolChange } from './write-tool-change.ts'
import type { ModelConversation } from '../../../workspace/conversation/model-conversation.ts'

/**
 * Begins a step of the workspace before each request, and builds the request from it. The host's own `prepareStep`
 * runs first: the workspace adds to what it returns.
 */
export function prepareStep(
  conversation: ModelConversation<VirtualWorkspace>,
  live: LiveTools,
  calls: SdkCalls,
  host: () => HostCall,
): PrepareStepFunction<ToolSet> {
  const { workspace } = conversation
  const run = new HostRun((step) => host().prepareStep?.(step))
  return async (step) => {
    const isFirst = step.stepNumber === 0
    const late = isFirst ? calls.late.splice(0) : []
    if (isFirst && host().allowSystemInMessages !== true) refuseSystem(step.messages)
    const { model, instructions, messages, others } = await run.step(step)
    const given = messages.map(wellFormedMessage)
    if (isFirst) {
      await recordDenials(workspace, given)
      await calls.startApproved(given)
    }
    const history = await withAllResults(given, conversation)
    const { form, rules, ...carried } = modelCarries(model)
    const read = readHistory(history)
    const last = read.pop()
    // An answer that the model continues gets nothing after it, nor does a program that waits for results.
    const continues = last?.role === 'assistant' || waitsForResults(history)
    if (last) read.push(continues ? { ...last, continues } : last)
    const active = others.activeTools?.map((name) => conversation.ownName(String(name)))
    const services = calls.use(others.runtimeContext ?? step.runtimeContext)
    conversation.placeStep(step.stepNumber, () => read)
    let kept = await conversation.keptAnswer(read)
    if (kept === undefined && late.length > 0) {
      kept = await conversation.keepAnswer(answerOfCalls(late))
    }
    if (kept !== undefined) {
      calls.begin(true)
      const middleware = [stopAnswers(calls, async () => {}), givesAnswer(kept)]
      const unchanged = history.map((_, index) => ({ kind: 'history' as const, index }))
      return {
        ...others,
        model: wrapModel(model, middleware),
        messages: run.sent(
          unchanged,
          history.map((message) => [message]),
        ),
      }
    }
    const wire = { ...carried, ...(active && { activeTools: active }) }
    const started = sentStep(await conversation.beginStep(read, wire, services), conversation)
    calls.begin()
    // No other provider takes references.
    const sent = new Set(form === 'anthropic' ? started.tools.map(({ name }) => name) : [])
    const write = (one: StepMessage): ModelMessage => {
      switch (one.kind) {
        case 'history': {
          const whole = history[one.index] as ModelMessage
          const left = one.withdrawn ? withoutResults(whole, one.withdrawn) : whole
          return withCallNames(dropDeadReferences(left, sent), model)
        }
        case 'text':
          return textMessage(one)
        case 'tools':
          return writeToolChange(one, form)
      }
    }
    const shown = live.show(started, { form, rules }, others.activeTools)
    const own = [instructions ?? null, live.ownTools, others.toolChoice ?? null]
    conversation.noteSent(
      started,
      started.tools.flatMap(({ name }) => live.tools[name] ?? []),
      own,
    )
    return {
      ...others,
      model: wrapModel(model, [
        stopAnswers(calls, (finished, params) =>
          conversation.report(readFinish(finished, params, model)),
        ),
        ...(conversation.isDurable ? [keepsAnswers(conversation, calls)] : []),
      ]),
      ...shown,
      ...(others.toolChoice && { toolChoice: chosenTool(others.toolChoice, shown, conversation) }),
      ...instructionsOf(wellFormed(instructions), started.instructions),
      messages: run.sent(started.messages, fitParts(started.messages.map(write), model)),
    }
  }
}

/** The same object for a message that is well formed, and for one that the host does not change. */
const wellFormedMessage = memberMemo((message: ModelMessage) => wellFormed(message))

const texts = new WeakMap<StepMessage, ModelMessage>()

/** Writes a text of the workspace: one object, which is then compared and converted once. */
function textMessage(one: Extract<StepMessage, { kind: 'text' }>): ModelMessage {
  const known = texts.get(one)
  if (known !== undefined) return known
  const message: ModelMessage = { role: 'user', content: one.text }
  texts.set(one, message)
  return message
}

/** Returns the host's choice with the name that the provider gets. A tool that is not sent cannot be chosen. */
function chosenTool(
  choice: ToolChoice<ToolSet>,
  { activeTools }: ShownTools,
  names: ToolNames,
): ToolChoice<ToolSet> {
  if (typeof choice === 'string') return choice
  const toolName = names.sentName(choice.toolName)
  if (activeTools.includes(toolName)) return { ...choice, toolName }
  throw new WorkspaceError(
    'CALL_INVALID',
    `"toolChoice" of "prepareStep" names "${choice.toolName}", which this step does not send.`,
    {
      hint: `The step sends ${activeTools.join(', ') || 'no tool'}. Activate the skill of the tool first; workspace.explain(name) says what is missing.`,
      facts: { field: 'toolChoice', tool: choice.toolName },
    },
  )
}

/** Returns true for a history that ends with results for a program of the provider. */
function waitsForResults(history: readonly ModelMessage[]): boolean {
  const [calls, results] = history.slice(-2)
  if (results?.role !== 'tool' || calls?.role !== 'assistant') return false
  const parts = typeof calls.content === 'string' ? [] : calls.content
  return parts.some((part) => {
    if (part.type !== 'tool-call') return false
    const { openai, anthropic } = part.providerOptions ?? {}
    const callers = [openai?.['caller'], anthropic?.['caller']]
    return callers.some((caller) => isObject(caller) && caller['type'] !== 'direct')
  })
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

type Part = LanguageModelV4StreamPart

/** The versions of models that the SDK takes; it refuses others with an error of its own. */
const VERSIONS: ReadonlySet<string> = new Set(['v2', 'v3', 'v4'])

/** The reasons for the end of an answer with which the SDK runs its calls. */
const COMPLETE: ReadonlySet<string> = new Set(['stop', 'tool-calls'])

/** Returns a model with these around it, the outermost first. The SDK refuses a model of an unknown version. */
function wrapModel(given: LanguageModel, middleware: LanguageModelMiddleware[]): LanguageModel {
  const model =
    typeof given === 'string'
      ? // Not by name: the first versions, which are refused, do not export it.
        (globalThis.AI_SDK_DEFAULT_PROVIDER ?? sdk.gateway).languageModel(given)
      : given
  return VERSIONS.has(model.specificationVersion) ? wrapLanguageModel({ model, middleware }) : model
}

/**
 * Returns the middleware by which no stopped answer runs a call.
 *
 * The SDK decides by the reason for the end, and so runs the calls of a stream with an error in it that ends as usual.
 * Here such a stream ends by `error`. The calls of every answer that was stopped are refused, so that the log has an
 * entry of each.
 */
function stopAnswers(
  calls: SdkCalls,
  report: (finished: FinishedAnswer, params: LanguageModelV4CallOptions) => Promise<void>,
): LanguageModelMiddleware {
  return {
    specificationVersion: 'v4',
    async wrapGenerate({ doGenerate, params }) {
      const answer = await doGenerate()
      await report(answer, params)
      const { unified, raw = unified } = answer.finishReason
      if (!COMPLETE.has(unified)) await calls.stop(answer.content.filter(isCall), raw)
      return answer
    },
    async wrapStream({ doStream, params }) {
      const { stream, ...rest } = await doStream()
      const watched = watchStream(calls, (finished) => report(finished, params))
      return { ...rest, stream: stream.pipeThrough(watched) }
    },
  }
}

function watchStream(
  calls: SdkCalls,
  report: (finished: FinishedAnswer) => Promise<void>,
): TransformStream<Part, Part> {
  const made: LanguageModelV4ToolCall[] = []
  let hasFailed = false
  let isOver = false
  return new TransformStream({
    async transform(part, controller) {
      if (part.type === 'error') hasFailed = true
      if (isCall(part)) {
        made.push(part)
        // The SDK asks about a call when it comes.
        if (hasFailed) calls.stopped.add(part.toolCallId)
      }
      if (part.type !== 'finish') {
        controller.enqueue(part)
        return
      }
      isOver = true
      await report(part)
      const { unified, raw = unified } = part.finishReason
      const isStopped = !COMPLETE.has(unified)
      if (hasFailed || isStopped) await calls.stop(made, isStopped ? raw : 'error')
      controller.enqueue(
        hasFailed
          ? { ...part, finishReason: { unified: 'error', raw: part.finishReason.raw } }
          : part,
      )
    },
    async flush() {
      if (!isOver) await calls.stop(made, 'the stream broke off')
    },
  })
}

function isCall(part: { readonly type: string }): part is LanguageModelV4ToolCall {
  return part.type === 'tool-call' && (part as LanguageModelV4ToolCall).providerExecuted !== true
}
