import {
  type Instructions,
  InvalidPromptError,
  type ModelMessage,
  type PrepareStepFunction,
  type ToolCallPart,
  type ToolChoice,
  type ToolResultPart,
  type ToolSet,
} from 'ai'
import type { AiSdkStepOptions } from './ai-sdk-options.ts'
import { recordDenials } from './answer-approvals.ts'
import { fitParts } from './fit-parts.ts'
import type { HostCall } from './host-call.ts'
import { HostRun } from './host-run.ts'
import type { LiveTools, ShownTools } from './live-tools.ts'
import { readMessage } from './read-message.ts'
import type { SdkCalls } from './sdk-calls.ts'
import { SentNames } from './sent-names.ts'
import { dropDeadReferences } from './drop-dead-references.ts'
import { modelCarries, writeToolChange } from './write-tool-change.ts'
import { isObject } from '../../kernel/json-value.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { LOST_RESULT } from '../../tools/response/model-text.ts'
import { ModelConversation } from '../../workspace/model-conversation.ts'
import type { StepMessage } from '../../workspace/offer/conversation/history-message.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'

/**
 * Begins a step of the workspace before each request, and builds the request from it. The host's own `prepareStep`
 * runs first: the workspace adds to what it returns.
 */
export function prepareStep(
  workspace: VirtualWorkspace,
  live: LiveTools,
  calls: SdkCalls,
  options: AiSdkStepOptions,
  host: () => HostCall,
): PrepareStepFunction<ToolSet> {
  const names = new SentNames(workspace)
  const run = new HostRun(names, (step) => host().prepareStep?.(step))
  const conversation = new ModelConversation(workspace, 'openai', options)
  return async (step) => {
    const isFirst = step.stepNumber === 0
    if (isFirst && host().allowSystemInMessages !== true) refuseSystem(step.messages)
    const { model, instructions, messages, others } = await run.step(step)
    const history = withAllResults(messages)
    if (isFirst) {
      await recordDenials(workspace, history)
      await calls.startApproved(history)
    }
    const { form, ...carried } = modelCarries(model)
    const read = history.map((message) => readMessage(message, names))
    const last = read.pop()
    // A program of the provider that waits for results gets nothing else.
    if (last) read.push(waitsForResults(history) ? { ...last, continues: true } : last)
    const active = others.activeTools?.map((name) => names.own(String(name)))
    const services = calls.use(others.runtimeContext ?? step.runtimeContext)
    const wire = { ...carried, ...(active && { activeTools: active }) }
    const started = names.step(await conversation.beginStep(read, wire, services))
    calls.begin(started.exposure.strategy === 'deferred')
    const sent = new Set(started.tools.map(({ name }) => name))
    const write = (one: StepMessage): ModelMessage => {
      switch (one.kind) {
        case 'history':
          return dropDeadReferences(history[one.index] as ModelMessage, sent)
        case 'text':
          return textMessage(one)
        case 'tools':
          return writeToolChange(one, form)
      }
    }
    const shown = live.show(started, form, others.activeTools)
    return {
      ...others,
      model,
      ...shown,
      ...(others.toolChoice && { toolChoice: chosenTool(others.toolChoice, shown, names) }),
      ...instructionsOf(instructions, started.instructions),
      messages: run.sent(started.messages, fitParts(started.messages.map(write), model)),
    }
  }
}

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
  names: SentNames,
): ToolChoice<ToolSet> {
  if (typeof choice === 'string') return choice
  const toolName = names.of(choice.toolName)
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
  return (
    typeof calls.content !== 'string' &&
    calls.content.some((part) => part.type === 'tool-call' && isOfProgram(part.providerOptions))
  )
}

function isOfProgram(options: ToolCallPart['providerOptions']): boolean {
  return [options?.['openai'], options?.['anthropic']].some((ofProvider) => {
    const caller = ofProvider?.['caller']
    return isObject(caller) && caller['type'] !== 'direct'
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

/**
 * Gives each call without a result one that says so: providers refuse a history without it. Such a call was in
 * an answer that was cut, or its run ended before it.
 */
function withAllResults(history: readonly ModelMessage[]): readonly ModelMessage[] {
  let open = new Map<string, ToolResultPart>()
  const complete: ModelMessage[] = []
  const close = () => {
    if (open.size === 0) return
    complete.push({ role: 'tool', content: [...open.values()] })
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
