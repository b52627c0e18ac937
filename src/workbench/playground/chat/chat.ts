import {
  isStepCount,
  type ModelMessage,
  streamText,
  type ToolApprovalResponse,
  wrapLanguageModel,
} from 'ai'
import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { activeSkills, thrownMessage } from '../../../entries/kit.ts'
import { requestTokens } from '../../../entries/plan.ts'
import { activateFirst } from './activate-named.ts'
import type {
  ChatAnswer,
  ChatEvent,
  ChatModel,
  ChatQuestion,
  ChatStep,
  TurnStatus,
} from './chat-event.ts'
import { type ChatStore, interruptedMessages } from './chat-store.ts'
import {
  describeFailure,
  describeSplitName,
  describeStop,
  describeWrittenCall,
} from './describe-failure.ts'
import { wholeAnswers } from './whole-answers.ts'
import { readQuestion } from '../../report/facts/questions-report.ts'
import { Budget } from '../../../workspace/commands/budget.ts'
import {
  type OpenRequest,
  openRequests,
} from '../../../connections/wires/ai-sdk/answer-approvals.ts'
import { CallFailedError } from '../../../connections/wires/ai-sdk/call-failed-error.ts'
import { type AiSdkSettings, forAiSdk } from '../../../connections/wires/ai-sdk/for-ai-sdk.ts'
import { approveForPerson } from '../../../workspace/calls/approve.ts'
import { findConfirmation } from '../../../workspace/calls/find-confirmation.ts'

export interface ChatParts {
  readonly workspace: VirtualWorkspace
  readonly store: ChatStore
  readonly model: ChatModel
  /** Asks a person; null when there is nobody to ask. */
  readonly ask: (question: ChatQuestion) => Promise<ChatAnswer | null>
}

/** Requests for one message of the person. */
const MOST_STEPS = 20

/** Steps in a row all of whose calls failed. */
const MOST_FAILED_STEPS = 4

/**
 * A conversation of a person with the agent of a workspace.
 *
 * Each step is one run of the AI SDK, so the messages are stored after each: after a process was killed, another one
 * continues with `resume`.
 */
export class Chat {
  readonly #parts: ChatParts
  readonly #settings: AiSdkSettings
  /** The request that was just made, and the skills that were active in it. */
  #request: { readonly step: ChatStep; readonly skills: readonly string[] } | null = null

  constructor(parts: ChatParts) {
    this.#parts = parts
    this.#settings = forAiSdk(parts.workspace)
  }

  /** Returns true when the last turn has no answer yet, such as after its process died. */
  get isOpen(): boolean {
    const last = this.#parts.store.messages.at(-1)
    return (
      last !== undefined && (last.role !== 'assistant' || unansweredRequests([last]).length > 0)
    )
  }

  /** Says something to the model, and yields what happens until the turn ends. */
  async *say(text: string, signal: AbortSignal): AsyncGenerator<ChatEvent, TurnStatus> {
    const { workspace, store, model } = this.#parts
    const before = activeSkills(workspace.state)
    const refused = await activateFirst(workspace, text)
    if (refused !== null) {
      yield refused
      yield { type: 'turn.ended', status: 'failed', steps: 0 }
      return 'failed'
    }
    const said = (await model.begin?.(text)) ?? text
    store.append([{ role: 'user', content: said }])
    yield { type: 'turn.begun', text: said }
    yield* skillChanges(before, activeSkills(workspace.state))
    return yield* this.resume(signal)
  }

  /** Continues the turn. */
  async *resume(signal: AbortSignal): AsyncGenerator<ChatEvent, TurnStatus> {
    let steps = 0
    let failed = 0
    let status: TurnStatus | null = null
    const budget = new Budget('turn')
    while (status === null) {
      const open = yield* askAboutCalls(this.#parts, signal)
      if (open !== null) {
        status = open
        break
      }
      const step = yield* this.#makeStep(signal, budget)
      steps += 1
      failed = step.calls > 0 && step.failed === step.calls ? failed + 1 : 0
      if (step.status !== null) status = step.status
      else if (step.calls === 0 && step.asked === 0) status = 'done'
      else if (failed === MOST_FAILED_STEPS) {
        yield describeStop('calls-failed', `All calls of ${failed} steps in a row failed.`)
        status = 'stopped'
      } else if (steps === MOST_STEPS) {
        yield describeStop('too-many-steps', `The model made ${steps} requests for one message.`)
        status = 'stopped'
      }
    }
    if (status !== 'waiting') {
      const { workspace } = this.#parts
      const before = activeSkills(workspace.state)
      await workspace.endTurn()
      yield* skillChanges(before, activeSkills(workspace.state))
    }
    yield { type: 'turn.ended', status, steps }
    return status
  }

  /** Makes one request, and runs the calls of its answer. */
  async *#makeStep(signal: AbortSignal, turn: Budget): AsyncGenerator<ChatEvent, MadeStep> {
    const { store, model, workspace } = this.#parts
    const made = { status: null as TurnStatus | null, calls: 0, failed: 0, asked: 0 }
    let error: unknown = null
    let text = ''
    const called: string[] = []
    this.#request = null
    let skills = activeSkills(workspace.state)
    const result = streamText({
      ...this.#settings,
      model: wrapLanguageModel({ model: model.model, middleware: this.#middleware(turn) }),
      messages: [...store.messages],
      abortSignal: signal,
      stopWhen: isStepCount(1),
      maxRetries: 0,
      onError: () => {},
    })
    try {
      for await (const part of result.fullStream) {
        const request = this.#takeRequest()
        if (request !== null) {
          yield* skillChanges(skills, request.skills)
          skills = request.skills
          yield request.step
        }
        switch (part.type) {
          case 'text-delta':
            text += part.text
            yield { type: 'text', text: part.text }
            break
          case 'reasoning-delta':
            yield { type: 'reasoning', text: part.text }
            break
          case 'tool-call':
            made.calls += 1
            called.push(part.toolName)
            yield {
              type: 'call.started',
              call: part.toolCallId,
              tool: part.toolName,
              input: part.input,
            }
            break
          case 'tool-result':
            if (part.preliminary === true) break
            yield ended(part, true, part.output)
            break
          case 'tool-error':
            made.failed += 1
            yield ended(part, false, part.error)
            break
          case 'tool-approval-request':
            made.asked += 1
            break
          case 'error':
            error ??= part.error
            break
          default:
        }
      }
    } catch (thrown) {
      error ??= thrown
    }
    for (const notice of model.notices?.() ?? []) yield notice
    yield* skillChanges(skills, activeSkills(workspace.state))
    if (signal.aborted) {
      store.append(interruptedMessages(store.answer, text))
      return { ...made, status: 'interrupted' }
    }
    if (error !== null) {
      yield describeFailure(error, model)
      return { ...made, status: 'failed' }
    }
    store.append(await result.responseMessages)
    const names = new Set(workspace.tools().map(({ name }) => name))
    const written = called.length === 0 ? describeWrittenCall(text, names, model.server) : null
    const notice = written ?? describeSplitName(called, names)
    if (notice !== null) yield notice
    if (written !== null) return { ...made, status: 'failed' }
    return made
  }

  #middleware(turn: Budget) {
    const { store, workspace, model } = this.#parts
    const at = store.messages.length
    return wholeAnswers({
      stored: () => (store.messages.length === at ? store.answer : null),
      keep: (answer) => store.keepAnswer(answer),
      turn,
      onRequest: () => {
        const step = stepOf(workspace)
        this.#request = { step, skills: activeSkills(workspace.state) }
        refuseTooLong(step, model)
      },
    })
  }

  #takeRequest() {
    const request = this.#request
    this.#request = null
    return request
  }
}

interface MadeStep {
  /** Null when the turn goes on. */
  readonly status: TurnStatus | null
  readonly calls: number
  readonly failed: number
  readonly asked: number
}

function stepOf({ state }: VirtualWorkspace): ChatStep {
  const { cost, exposed, strategy } = state
  return {
    type: 'step.begun',
    step: state.step,
    seq: state.seq,
    tools: (exposed ?? []).map(({ name }) => name),
    strategy: strategy ?? 'active',
    tokens: cost === null ? 0 : requestTokens(cost),
    cost,
  }
}

/** Throws for a request that is longer than the model can read. */
function refuseTooLong({ tokens }: ChatStep, { context, name }: ChatModel): void {
  if (context === null || tokens <= context) return
  throw new WorkspaceError(
    'CONTEXT_FULL',
    `The request has ${tokens} tokens, and ${name} reads ${context}.`,
    { hint: 'Unload skills, begin a new session, or start the server with a longer context.' },
  )
}

function* skillChanges(
  before: readonly string[],
  now: readonly string[],
): Generator<ChatEvent, void> {
  const activated = now.filter((one) => !before.includes(one))
  const deactivated = before.filter((one) => !now.includes(one))
  if (activated.length + deactivated.length > 0) {
    yield { type: 'skills.changed', activated, deactivated }
  }
}

/** @param value the result of a call, or its failure */
function ended(
  { toolCallId, toolName }: { readonly toolCallId: string; readonly toolName: string },
  ok: boolean,
  value: unknown,
): ChatEvent {
  const failure = value instanceof CallFailedError ? value.toString() : thrownMessage(value)
  const result = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  return { type: 'call.ended', call: toolCallId, tool: toolName, ok, text: ok ? result : failure }
}

/** The answers that a session has already, such as after its process died. */
const KNOWN_ANSWERS: Readonly<Record<string, ChatAnswer>> = { approved: 'call', denied: 'no' }

/** Asks about the calls of the last answer. Returns the status when the turn cannot go on. */
async function* askAboutCalls(
  { workspace, store, ask }: ChatParts,
  signal: AbortSignal,
): AsyncGenerator<ChatEvent, TurnStatus | null> {
  const answers: ToolApprovalResponse[] = []
  for (const request of unansweredRequests(store.messages)) {
    const { approvalId, toolCallId: call, toolName: tool, input } = request
    const asked = findConfirmation(workspace, tool, input)
    const read = asked && readQuestion(asked, workspace)
    const question = asked?.id ?? approvalId
    const { risk = 'moderate', why: about = '' } = read ?? {}
    const shown: ChatQuestion = { question, call, tool, input, risk, about }
    const known = asked === undefined ? null : (KNOWN_ANSWERS[asked.consent] ?? null)
    const asks = known === null && !signal.aborted
    // A reader of events answers each question that it gets.
    if (asks) yield { type: 'asked', ...shown }
    const answer = asks ? await ask(shown) : known
    if (answer === null && !signal.aborted) return 'waiting'
    const given = answer ?? 'no'
    // A screen may have answered the question itself.
    const now = findConfirmation(workspace, tool, input)
    if (given !== 'no' && now?.consent === 'pending') {
      const { problem } = await approveForPerson(workspace, now.id, given)
      if (problem !== null) {
        const { code, message, hint } = problem
        yield { type: 'notice', code, message, hint }
      }
    }
    yield { type: 'answered', question, tool, answer: given }
    const approved = given !== 'no'
    const reason = approved ? undefined : findConfirmation(workspace, tool, input)?.words
    answers.push({
      type: 'tool-approval-response',
      approvalId,
      approved,
      ...(reason && { reason }),
    })
  }
  if (answers.length > 0) store.append([{ role: 'tool', content: answers }])
  return signal.aborted ? 'interrupted' : null
}

/** Returns the questions of the last answer that have no answer yet. */
function unansweredRequests(messages: readonly ModelMessage[]): readonly OpenRequest[] {
  const answer = messages.slice(messages.findLastIndex(({ role }) => role === 'assistant'))
  return answer.some(({ role }) => role === 'user') ? [] : openRequests(answer)
}
