import type { WaitingCall } from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { CallAnswers } from '../../../workspace/calls/call-answers.ts'
import type { ScenarioAnswer } from './read-scenario.ts'

/** The model of a scenario and the way to it. The engine alone needs none. */
export interface ScenarioModel {
  /** Opens the conversation of a session. */
  open(session: ScenarioSession): ScenarioConversation | Promise<ScenarioConversation>
}

/** The session of a scenario, for a model. */
export interface ScenarioSession {
  readonly workspace: VirtualWorkspace
  /** Returns what the person of the scenario answers about a call of a tool; null when nobody answers. */
  decide(tool: string): 'approve' | 'deny' | null
}

/** A conversation of the person of a scenario with a model. */
export interface ScenarioConversation {
  /**
   * Says a message, and resolves when the turn is over with the last text of the model; null without one.
   *
   * @param answers what a scripted model answers, one for each request
   */
  say(text: string, answers: readonly ScenarioAnswer[]): Promise<string | null>
  close(): Promise<void>
}

/** Returns the calls of an answer. */
export function answerCalls(
  answer: ScenarioAnswer,
): readonly Extract<ScenarioAnswer, { readonly call: string }>[] {
  if ('text' in answer) return []
  return 'calls' in answer ? answer.calls : [answer]
}

/** Answers on the engine alone: without requests, the calls go through the gate as they do on every wire. */
export async function answerOnEngine(
  session: ScenarioSession,
  answers: readonly ScenarioAnswer[],
): Promise<string | null> {
  const { workspace } = session
  const gate = new CallAnswers(workspace)
  let text: string | null = null
  for (const answer of answers) {
    const { step } = await workspace.beginStep()
    gate.begin()
    if ('text' in answer) ({ text } = answer)
    const calls = answerCalls(answer).map(({ call: tool, with: input = {} }, index) => {
      return { id: `call_${step}_${index}`, tool, input }
    })
    const { waiting } = await gate.answer(calls)
    if (await answerQuestions(session, waiting)) await gate.answer(calls)
  }
  return text
}

/** Answers questions as the person of the scenario does. Returns true when there was an answer. */
export async function answerQuestions(
  { workspace, decide }: ScenarioSession,
  waiting: readonly Pick<WaitingCall, 'tool' | 'confirmation'>[],
): Promise<boolean> {
  let isAnswered = false
  for (const { tool, confirmation } of waiting) {
    const decision = decide(tool)
    if (decision === 'approve') await workspace.approve(confirmation)
    else if (decision === 'deny') await workspace.deny(confirmation)
    isAnswered ||= decision !== null
  }
  return isAnswered
}
