import type { FormContent, PendingConfirmation } from '../../engine/model/consent-event.ts'
import { isObject, type JsonSchema } from '../../kernel/json-value.ts'
import { sanitiseLine } from '../../kernel/sanitise-text.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { VirtualWorkspace } from '../../workspace/virtual-workspace.ts'
import { openConfirmations } from '../context/open-confirmations.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'
import { screenQueue } from './change-session.ts'
import { formFields, initialArguments, textOfField } from './form-fields.ts'

/** Calls a listener with the questions that running calls ask from now on. Returns the function that ends it. */
export function onQuestion(
  { store }: Pick<VirtualWorkspace, 'store'>,
  listener: (asked: PendingConfirmation) => void,
): () => void {
  return store.subscribe(({ state }, before) => {
    if (state.confirmations === before.state.confirmations) return
    const known = new Set(before.state.confirmations.map(({ id }) => id))
    const asked = openConfirmations(state).find(
      ({ id, elicitation }) => elicitation !== undefined && !known.has(id),
    )
    if (asked !== undefined) listener(asked)
  })
}

/** Opens the form of what a running call asks. */
export function openQuestion({ ui }: PlaygroundContext, asked: PendingConfirmation): void {
  const schema = questionSchema(asked)
  const given = initialArguments(schema)
  const [first] = formFields(schema, given)
  const typed = first === undefined ? '' : textOfField(given, first)
  const form = { at: 0, text: typed, cursor: typed.length }
  const text = JSON.stringify(given)
  const { id: question, tool } = asked
  const cursor = text.length
  ui.setState({ dialog: { kind: 'call', tool, text, cursor, problem: '', form, question } })
}

/** Returns the form of a question; an address has one without fields. */
export function questionSchema({
  elicitation,
}: Pick<PendingConfirmation, 'elicitation'>): JsonSchema {
  return elicitation !== undefined && 'schema' in elicitation ? elicitation.schema : {}
}

/** Answers the question of a running call. Returns the problem with the answer, or null. */
export async function answerQuestion(
  context: PlaygroundContext,
  id: string,
  content: unknown,
): Promise<string | null> {
  if (!isObject(content)) return 'An answer is an object, such as {}.'
  const given = { by: 'user', content: content as FormContent } as const
  try {
    const outcome = await screenQueue(context.ui)(() => context.workspace().approve(id, given))
    return outcome.ok ? null : sanitiseLine(outcome.message)
  } catch (error) {
    if (WorkspaceError.is(error)) return sanitiseLine(error.message)
    throw error
  }
}
