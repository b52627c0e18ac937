import type { DroppedIntent } from '../../../engine/model/intent-event.ts'
import { isObject, type JsonValue } from '../../../kernel/json-value.ts'
import { nearestNames } from '../../../kernel/nearest-names.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { BUILT_IN_INTENTS, type IntentDefinition } from '../../../tools/intents/define-intent.ts'
import type { Intent } from '../../../tools/intents/intent.ts'
import { shorten, thrownMessage } from '../../../kernel/thrown-message.ts'
import { withTimeLimit } from '../../commands/with-time-limit.ts'

/** Intents of one call that are checked; the rest are dropped. */
const MAX_INTENTS = 20

/** Characters of a payload as JSON: it goes into the log, and into the state while it waits. */
const MAX_PAYLOAD_LENGTH = 16_384

/** The returned intents that are accepted, and those that are dropped and why. */
interface CheckedIntents {
  readonly intents: readonly Intent[]
  readonly dropped: readonly DroppedIntent[]
}

/**
 * Checks the intents of one result by their definitions. The result counts even if they are wrong. An
 * accepted payload is kept as returned: the transforms of a schema do not change it.
 */
export async function checkIntents(
  returned: readonly JsonValue[],
  known: KnownIntents,
  timeoutMs: number,
): Promise<CheckedIntents> {
  const intents: Intent[] = []
  const dropped: DroppedIntent[] = []
  for (const one of returned.slice(0, MAX_INTENTS)) {
    const read = await readIntent(one, known, timeoutMs)
    if ('code' in read) dropped.push(read)
    else intents.push(read)
  }
  if (returned.length > MAX_INTENTS) {
    const message = `It returned ${returned.length} intents; those after the first ${MAX_INTENTS} are dropped.`
    dropped.push({ code: 'intent-too-many', message, hint: 'Return each intent once.' })
  }
  return { intents, dropped }
}

/** Reads one returned intent. Without a moment, it is for that of its definition. */
async function readIntent(
  returned: JsonValue,
  known: KnownIntents,
  timeoutMs: number,
): Promise<Intent | DroppedIntent> {
  if (!isObject(returned) || typeof returned['type'] !== 'string') return MALFORMED
  const { type, when, message } = returned
  // The form of the published tools architecture has the message at the top.
  const payload = returned['payload'] ?? (message === undefined ? undefined : { message })
  const definition = known.get(type)
  if (definition === undefined) return unknownIntent(shorten(type), [...known.keys()])
  if ((when ?? definition.when) !== definition.when) {
    return {
      code: 'intent-moment',
      message: `The intent "${type}" is applied ${definition.when}, and it was returned for ${shorten(JSON.stringify(when))}.`,
      hint: `Return it without "when", or define it for another moment.`,
    }
  }
  const length = payload === undefined ? 0 : JSON.stringify(payload).length
  if (length > MAX_PAYLOAD_LENGTH) {
    return payloadInvalid(type, `has ${length} characters, over the limit of ${MAX_PAYLOAD_LENGTH}`)
  }
  const intent = { type, when: definition.when, ...(payload !== undefined && { payload }) }
  return (await payloadProblem(intent, definition, timeoutMs)) ?? intent
}

const MALFORMED: DroppedIntent = {
  code: 'intent-malformed',
  message: 'It returned an intent that is not an object with a type.',
  hint: 'Return what intent() of its definition creates.',
}

async function payloadProblem(
  { type, payload }: Intent,
  definition: IntentDefinition,
  timeoutMs: number,
): Promise<DroppedIntent | null> {
  try {
    const parsed = await withTimeLimit('The check', timeoutMs, () =>
      definition.parsePayload(payload),
    )
    if (parsed.ok) return null
    const issues = parsed.issues.map(({ path, message }) => `${path} ${message}`.trim())
    return payloadInvalid(type, `is not valid: ${shorten(issues.join('; '))}`)
  } catch (error) {
    return payloadInvalid(type, `could not be checked (${thrownMessage(error)})`)
  }
}

function payloadInvalid(type: string, what: string): DroppedIntent {
  return {
    code: 'intent-payload',
    message: `The payload of the intent "${type}" ${what}.`,
    hint: 'Create it with the intent() of its definition.',
  }
}

function unknownIntent(type: string, known: readonly string[]): DroppedIntent {
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

/** The intents that a session accepts, by type. */
export type KnownIntents = ReadonlyMap<string, IntentDefinition>

const BUILT_IN: KnownIntents = new Map(BUILT_IN_INTENTS.map((one) => [one.type, one]))

/**
 * Returns the built-in intents and those of the host, which may redefine a built-in type. Throws
 * `INTENT_DUPLICATE` for a type that the host defined twice.
 */
export function knownIntents(own: readonly IntentDefinition[] = []): KnownIntents {
  if (own.length === 0) return BUILT_IN
  const known = new Map(BUILT_IN)
  const seen = new Set<string>()
  for (const one of own) {
    if (seen.has(one.type)) throw duplicateIntent(one.type)
    seen.add(one.type)
    known.set(one.type, one)
  }
  return known
}

function duplicateIntent(type: string): WorkspaceError {
  return new WorkspaceError('INTENT_DUPLICATE', `The intent "${type}" is defined twice.`, {
    hint: 'Keep one of them in the option "intents".',
    facts: { type },
  })
}
