import {
  type JsonSchema,
  type JsonValue,
  type Outcome,
  type VirtualWorkspace,
  WorkspaceError,
} from '../../../entries/index.ts'
import { isObject, type PendingConfirmation, sanitiseLine } from '../../../entries/kit.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { type AnswerPart, note } from '../context/ui-state.ts'
import { screenQueue, whyNoChange } from './change-session.ts'
import { formFields, initialArguments, textOfField } from './form-fields.ts'

/** Calls a listener with the questions that running calls ask from now on. Returns the function that ends it. */
export function onQuestion(
  { store }: Pick<VirtualWorkspace, 'store'>,
  listener: (asked: PendingConfirmation) => void,
): () => void {
  return store.subscribe(({ state }, before) => {
    if (state.confirmations === before.state.confirmations) return
    const known = new Set(before.state.confirmations.map(({ id }) => id))
    const asked = state.confirmations.find(
      ({ id, elicitation }) => elicitation !== undefined && !known.has(id),
    )
    if (asked !== undefined) listener(asked)
  })
}

/** Returns the reason why this screen cannot answer questions now; null when it can. */
export function whyNoAnswer({ live, attach, ui }: PlaygroundContext): string | null {
  if (!live && attach === null) return READ_ONLY
  if (!live && !ui.getState().answers) return 'Read-only. Press w, and this screen may answer.'
  return whyNoChange({ live: true, ui })
}

/** Shown when nobody can answer on this screen. */
export const READ_ONLY =
  'Read-only. Answer in the host or with loadout attach --log <log>, or open the session with its agent folder.'

/** Lets the screen of a followed session answer its questions, or only follow it again. */
export function switchAnswers({ ui }: PlaygroundContext): void {
  ui.setState(({ answers }) => ({ answers: !answers, banner: note('note', answers ? OFF : ON) }))
}

const ON = 'This screen may answer the questions of the session, and change nothing else.'
const OFF = 'This screen only follows the session.'

/**
 * Gives an answer in the session of the screen. If that is open read-only, the session is opened for this answer
 * alone: the followed session then has its entry, as from any other process.
 */
export function giveAnswer(
  { ui, workspace, attach }: PlaygroundContext,
  give: (workspace: VirtualWorkspace) => Promise<Outcome>,
): Promise<Outcome> {
  return screenQueue(ui)(async () => {
    if (attach === null) return give(workspace())
    const attached = await attach()
    try {
      return await give(attached)
    } finally {
      await attached.close()
    }
  })
}

/** Opens the form of an answer: of what a running call asks, of other arguments, or of the reason of a denial. */
export function openQuestion(
  context: PlaygroundContext,
  asked: PendingConfirmation,
  answer: AnswerPart = 'content',
  known?: unknown,
): void {
  const { ui } = context
  const schema = answerSchema(context, asked, answer)
  const given = isObject(known) ? known : initialArguments(schema)
  const [first] = formFields(schema, given)
  const typed = first === undefined ? '' : textOfField(given, first)
  const form = { at: 0, text: typed, cursor: typed.length }
  const text = JSON.stringify(given)
  const { id: question, tool } = asked
  const cursor = text.length
  ui.setState({ dialog: { kind: 'call', tool, text, cursor, problem: '', form, question, answer } })
}

/** Returns the form of an answer; an address has one without fields. */
export function answerSchema(
  { workspace }: PlaygroundContext,
  { elicitation, tool }: Pick<PendingConfirmation, 'elicitation' | 'tool'>,
  answer: AnswerPart,
): JsonSchema {
  switch (answer) {
    case 'reason':
      return REASON
    case 'input':
      return (
        workspace()
          .tools()
          .find(({ name }) => name === tool)?.tool?.inputSchema ?? {}
      )
    case 'content':
      return elicitation !== undefined && 'schema' in elicitation ? elicitation.schema : {}
  }
}

const REASON: JsonSchema = {
  type: 'object',
  properties: { reason: { type: 'string', description: 'Why, or what to do instead.' } },
}

/** Answers a question with what was typed. Returns the problem with the answer, or null. */
export async function answerQuestion(
  context: PlaygroundContext,
  id: string,
  given: unknown,
  answer: AnswerPart,
): Promise<string | null> {
  if (!isObject(given)) return 'An answer is an object, such as {}.'
  const by = 'user' as const
  const typed = given as Record<string, JsonValue>
  const { reason } = given
  try {
    const outcome = await giveAnswer(context, (workspace) =>
      answer === 'reason'
        ? workspace.deny(id, { by, ...(typeof reason === 'string' && { reason }) })
        : workspace.approve(id, { by, [answer]: typed }),
    )
    return outcome.ok ? null : sanitiseLine(outcome.message)
  } catch (error) {
    if (WorkspaceError.is(error)) return sanitiseLine(error.message)
    throw error
  }
}
