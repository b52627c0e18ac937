import type { ModelMessage } from 'ai'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import type { ChatModel, ChatNotice } from './chat-event.ts'
import { localModel } from './local-model.ts'
import { servedAnswers } from '../../project/scenarios/adapter-model.ts'
import {
  type Scenario,
  type ScenarioStep,
  stepAnswers,
} from '../../project/scenarios/read-scenario.ts'

/**
 * Returns the model that plays a scenario: each message, also an empty one, makes its next move, which is what the
 * person of the scenario says and the answers to it. A person answers the questions.
 *
 * @param messages the stored messages of the conversation, from which the next move follows
 */
export function playScenario(
  { name, steps }: Scenario,
  workspace: VirtualWorkspace,
  messages: () => readonly ModelMessage[],
): ChatModel {
  const moves = movesIn(steps)
  const notices: ChatNotice[] = []
  const made = () => messages().filter(({ role }) => role === 'user').length
  const model = localModel(`the scenario "${name}"`, messages, () => {
    const all = messages()
    const [number, last] = [made(), all.findLastIndex(({ role }) => role === 'user')]
    const answered = all.slice(last).filter(({ role }) => role === 'assistant').length
    const answers = (moves[number - 1] ?? []).flatMap(stepAnswers)
    const [answer] = servedAnswers(answers.slice(answered, answered + 1), { workspace })
    if (answer !== undefined) return answer
    const rest = moves.length - number
    const text =
      rest < 0
        ? 'The scenario has no further move.'
        : `Move ${number} of ${moves.length}. ${rest === 0 ? 'It was the last one.' : 'Enter makes the next one.'}`
    return { text, calls: [] }
  })
  return {
    ...model,
    notices: () => notices.splice(0),
    async begin(text) {
      const move = moves[made()] ?? []
      for (const { activate, deactivate } of move) {
        const outcomes = [
          activate && (await workspace.activateSkill(activate, { by: 'user' })),
          deactivate && (await workspace.deactivateSkill(deactivate, { by: 'user' })),
        ]
        for (const outcome of outcomes) {
          if (!outcome || outcome.ok) continue
          const { code, message, hint } = outcome
          notices.push({ type: 'notice', code, message, hint })
        }
      }
      return move.find(({ user }) => user !== undefined)?.user ?? (text || 'next')
    },
  }
}

/**
 * Returns the moves of a scenario: what a person does and says, and the answers of the model until a text of it, or until
 * the person does more.
 */
function movesIn(steps: readonly ScenarioStep[]): readonly (readonly ScenarioStep[])[] {
  const moves: ScenarioStep[][] = []
  for (const step of steps) {
    const { user, activate, deactivate } = step
    const isOfPerson = [user, activate, deactivate].some((one) => one !== undefined)
    if (!isOfPerson && stepAnswers(step).length === 0) continue
    const move = moves.at(-1)
    const answers = (move ?? []).flatMap(stepAnswers)
    const isSaid = answers.length > 0 || move?.some((one) => one.user !== undefined) === true
    const last = answers.at(-1)
    const isOver = last !== undefined && 'text' in last
    if (move === undefined || isOver || (isOfPerson && isSaid)) moves.push([step])
    else move.push(step)
  }
  return moves
}
