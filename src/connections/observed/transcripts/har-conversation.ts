import { firstSaid } from '../content/message-text.ts'
import { list, memberIn, text } from '../content/text-in-content.ts'
import type { WireSkills } from '../content/wire-skills.ts'
import type { Observation, ObservedSession } from '../observation.ts'

type Line = Readonly<Record<string, unknown>>

/** A conversation, in the requests of which there is one after the other. */
export interface HarConversation {
  readonly session: ObservedSession
  readonly seen: Observation[]
  /** The calls and results that requests had. */
  readonly known: Set<string>
  /** The messages of the last request, as texts, with the number of observations before each. */
  messages: readonly string[]
  readonly begins: number[]
  /** The requests, with the numbers of observations before them and of their messages. */
  requests: { readonly begins: number; readonly length: number }[]
  /** The parts that the person went back from. */
  branches: readonly ObservedSession[]
  /** The name that the client gives to its session; '' without one. */
  readonly key: string
  /** The tools and texts of the last request, as JSON. */
  readonly shown: { tools: string; texts: string; skills: string }
  readonly skills: WireSkills
  /** The tools whose names alone the client wrote in its texts. */
  readonly deferred: Set<string>
}

/** The body of a request, with its messages after the instructions at its beginning. */
export interface ReadBody {
  readonly body: Line
  readonly messages: readonly Line[]
  readonly texts: readonly string[]
  /** The name that the client gives to its session; '' without one. */
  readonly key: string
  /** It continues an answer that the provider keeps, and has only what is new. */
  readonly isContinued: boolean
}

/** The beginning of a message with which a client continues a conversation that it summarised. */
const SUMMARY =
  /^(?:What did we do so far\?$|This session is being continued from a previous conversation|Another language model started to solve this problem)/

/** The fewest characters of a message by which a conversation is recognised. */
const LEAST_SHARED = 40

/** Returns true for a text of a message that the model wrote, or of the result of its call. */
function isOfModel(said: string): boolean {
  return (
    said.length >= LEAST_SHARED &&
    /^(?:assistant|tool|(?:function|custom_tool)_call(?:_output)?)\n|^user\n\{"type":"tool_result"/.test(
      said,
    )
  )
}

/** Returns true for a request of a conversation. */
export function continues({ messages, key, shown }: HarConversation, read: ReadBody): boolean {
  const other = read.key
  if (key !== '' && other !== '' && other !== key) return false
  if (firstSaid(messages) === firstSaid(read.texts)) return true
  const earlier = new Set(messages.filter(isOfModel))
  if (read.texts.some((one) => earlier.has(one))) return true
  // A request for a summary may have no tools, and the client continues the conversation before it.
  const isOfTools = shown.tools !== NO_TOOLS
  return isOfTools && key !== '' && key === other && read.messages.some(isSummary)
}

/** The tools of a request without any, as JSON. */
const NO_TOOLS = '[]'

export function isSummary({ content }: Line): boolean {
  const parts =
    typeof content === 'string'
      ? [content]
      : list(content).map((part) => text(memberIn(part, 'text')))
  return parts.some((one) => SUMMARY.test(one))
}

/** Returns true when messages that are gone have a turn, and those in their place do not continue it. */
export function isWithoutTurns(
  before: readonly string[],
  added: readonly string[],
  texts: readonly string[],
): boolean {
  const now = new Set(texts)
  const gone = before.filter((one) => !now.has(one))
  const isTurn = (one: string) => one.startsWith('user\n') && !isOfModel(one)
  const isAnswered = added.some((one) => !/^(?:user|system|developer)\n/.test(one))
  // A client adds remarks to a message.
  const isLonger = added.some((one) => gone.some((earlier) => one.startsWith(earlier)))
  return gone.some(isTurn) && !isAnswered && !isLonger
}

/** Makes a session of its own of the observations from a number on, which the person went back from. */
export function leaveBranch(conversation: HarConversation, begins: number): void {
  const { session, seen, branches, shown, known } = conversation
  const gone = seen.splice(begins)
  const name = `${session.session}-branch-${branches.length + 1}`
  const moved = branches.map((one) => {
    const { forkedFrom = null } = one
    return forkedFrom === null || forkedFrom.session !== session.session || forkedFrom.seen < begins
      ? one
      : { ...one, forkedFrom: { session: name, seen: forkedFrom.seen - begins } }
  })
  const forkedFrom = { session: session.session, seen: begins }
  conversation.branches = [...moved, { ...session, session: name, forkedFrom, seen: gone }]
  conversation.requests = conversation.requests.filter((one) => one.begins < begins)
  for (const one of gone)
    if (one.type === 'call' || one.type === 'result') known.delete(`${one.type} ${one.call}`)
  Object.assign(shown, { tools: '', texts: '', skills: '' })
}

/** Returns true for messages that begin in another way than those before, and are fewer than these and what followed. */
export function isShortened(before: readonly string[], now: readonly string[]): boolean {
  if (before[0] === now[0] || now.length > before.length) return false
  const left = new Set(now)
  return before.filter((one) => !left.has(one)).length > 1
}
