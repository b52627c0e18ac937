import { nearestNames } from '../../../kernel/nearest-names.ts'
import type { DroppedIntent } from '../../../engine/model/intent-command.ts'
import type { IntentDefinition } from '../../../tools/intents/intent-definition.ts'
import type { Intent } from '../../../tools/intents/intent.ts'
import { shorten } from '../../commands/shorten.ts'
import { thrownMessage } from '../../commands/thrown-message.ts'
import { limited } from '../../commands/limited.ts'
import type { KnownIntents } from './known-intents.ts'

/** Intents of one call that are looked at; a tool that returns more is out of order. */
const MOST_INTENTS = 20

/** Characters of a payload as JSON: it goes into the log, and into the state while it waits. */
const LONGEST_PAYLOAD = 16_384

/** What of the intents a handler returned is taken, and what is not and why. */
export interface CheckedIntents {
  readonly intents: readonly Intent[]
  readonly dropped: readonly DroppedIntent[]
}

/**
 * Hold the intents of one result to their definitions. The result stands whatever is wrong with them.
 * What is taken is the intent as it was returned: a schema's transforms change nothing.
 */
export async function checkIntents(
  returned: readonly Intent[],
  known: KnownIntents,
  timeoutMs: number,
): Promise<CheckedIntents> {
  const intents: Intent[] = []
  const dropped: DroppedIntent[] = []
  for (const intent of returned.slice(0, MOST_INTENTS)) {
    const wrong = await problemOf(intent, known, timeoutMs)
    if (wrong === null) intents.push(intent)
    else dropped.push({ ...wrong, type: shorten(intent.type), when: intent.when })
  }
  const [first] = returned.slice(MOST_INTENTS)
  if (first !== undefined) {
    const message = `It returned ${returned.length} intents; those after the first ${MOST_INTENTS} are not taken.`
    const hint = 'Return each intent once.'
    const { when } = first
    dropped.push({ code: 'intent-too-many', type: shorten(first.type), when, message, hint })
  }
  return { intents, dropped }
}

type Problem = Pick<DroppedIntent, 'code' | 'message' | 'hint'>

async function problemOf(
  intent: Intent,
  known: KnownIntents,
  timeoutMs: number,
): Promise<Problem | null> {
  const { type, when, payload } = intent
  const definition = known.get(type)
  if (definition === undefined) return unknown(shorten(type), [...known.keys()])
  if (when !== definition.when) {
    return {
      code: 'intent-moment',
      message: `The intent "${type}" is applied ${definition.when}, and it was returned for ${when}.`,
      hint: `Return it with when: "${definition.when}", or define it for another moment.`,
    }
  }
  const length = payload === undefined ? 0 : JSON.stringify(payload).length
  if (length > LONGEST_PAYLOAD) {
    return unfit(type, `has ${length} characters, over the ${LONGEST_PAYLOAD} that are taken`)
  }
  return payloadProblem(intent, definition, timeoutMs)
}

async function payloadProblem(
  { type, payload }: Intent,
  definition: IntentDefinition,
  timeoutMs: number,
): Promise<Problem | null> {
  try {
    const parsed = await limited('The check', timeoutMs, () => definition.parsePayload(payload))
    if (parsed.ok) return null
    const told = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim())
    return unfit(type, `does not fit: ${shorten(told.join('; '))}`)
  } catch (error) {
    return unfit(type, `could not be checked (${thrownMessage(error)})`)
  }
}

function unfit(type: string, what: string): Problem {
  return {
    code: 'intent-payload',
    message: `The payload of the intent "${type}" ${what}.`,
    hint: 'Make it with the intent() of its definition.',
  }
}

function unknown(type: string, known: readonly string[]): Problem {
  const [nearest] = nearestNames(type, known)
  return {
    code: 'intent-unknown',
    message: `The session knows no intent "${type}".`,
    hint:
      nearest === undefined
        ? 'Define it with defineIntent, and give it by the option "intents".'
        : `Did the tool mean "${nearest}"? Others are defined with defineIntent.`,
  }
}
