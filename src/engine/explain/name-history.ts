import type { ContentHash } from '../../kernel/content-hash.ts'
import type { JsonValue } from '../../kernel/json-value.ts'
import type { Entry, ExposedTool, WorkspaceEvent } from '../model/workspace-event.ts'
import type { StepAttempt } from '../model/step-call.ts'
import { describeEvent } from './describe-event.ts'

/** The outcome of a tool or a skill in a session, by the entries of its log. */
export interface NameHistory {
  /** Requests to the model so far. */
  readonly requests: number
  /** The requests that showed it to the model; null where the log does not say which did. */
  readonly shown: ShownHistory | null
  /** Its calls, activations and refusals, in their order. */
  readonly events: readonly HistoryEvent[]
  /** The turns whose requests showed it, and in which nothing became of it. */
  readonly passedOver: readonly PassedOver[]
  /** Its actions that ran more than once in a turn with the same arguments, each with the entries that started them. */
  readonly repeated: readonly RepeatedAction[]
  /** The last turn, with the message of the person; null before the first, and where the log does not have the message. */
  readonly asked: { readonly turn: number; readonly said: string } | null
}

/** A run of requests: the numbers of the first and the last. */
type Run = readonly [first: number, last: number]

/** The requests that showed a name. */
interface ShownHistory {
  readonly whole: readonly Run[]
  /** The requests that had its name alone, such as that of a tool that a search has to find. */
  readonly nameOnly: readonly Run[]
  /** Null when none showed it. */
  readonly last: LastShown | null
}

/** A turn that used others. */
interface PassedOver {
  readonly turn: number
  /** The message of the person; null where the log does not have it. */
  readonly said: string | null
  /** The tools that the model called, and the skills that it loaded. */
  readonly used: readonly string[]
}

/** An action that ran more than once in a turn with the same arguments. */
interface RepeatedAction {
  readonly turn: number
  readonly entries: readonly number[]
}

/** The last request that showed a name. */
interface LastShown {
  /** Its place in the list, from 1, and the length of the list. */
  readonly place: number
  readonly of: number
  /** The description that the model read; null for the name alone, absent where it is that of the definition. */
  readonly description?: string | null
}

/** One entry about a name. */
interface HistoryEvent {
  readonly seq: number
  /** The request before it; 0 before the first. */
  readonly step: number
  /** Absent in the first attempt at a step. */
  readonly attempt?: StepAttempt
  readonly text: string
}

/** The list of skills that a request showed, as the log of another agent has it. */
type ListedSkills = readonly {
  readonly name: string
  readonly description: string | null
}[]

/**
 * Returns the history of a tool or a skill.
 *
 * @param names its name, and others that it has: in the lists of another agent, or for a provider
 * @param stored the lists of skills and the messages that the entries refer to
 */
export function nameHistory(
  kind: 'tool' | 'skill',
  names: ReadonlySet<string>,
  entries: readonly Entry[],
  stored: ReadonlyMap<ContentHash, JsonValue>,
): NameHistory {
  const events: HistoryEvent[] = []
  const [whole, nameOnly]: [Run[], Run[]] = [[], []]
  const turns: {
    turn: number
    said: string | null
    isShown: boolean
    isUsed: boolean
    used: Set<string>
  }[] = []
  let [step, isKnown] = [0, false]
  let attempt: StepAttempt | undefined
  const actions: { turn: number; digest: string; entries: number[] }[] = []
  let last: LastShown | null = null
  for (const { seq, event } of entries) {
    if (event.type === 'turn.begun') {
      const said = event.said === undefined ? undefined : stored.get(event.said)
      const text = typeof said === 'string' ? said : null
      turns.push({ turn: event.turn, said: text, isShown: false, isUsed: false, used: new Set() })
    }
    const turn = turns.at(-1)
    if (event.type === 'step.repeated') ({ attempt } = event)
    if (event.type === 'step.begun') {
      ;({ step, attempt } = event)
      const list = event.listed && (stored.get(event.listed) as ListedSkills | undefined)
      isKnown ||= kind === 'tool' ? event.incomplete !== true : list !== undefined
      const found = kind === 'tool' ? placeInTools(event.exposed, names) : placeInList(list, names)
      if (found === null) continue
      last = found.last
      addTo(found.isNameOnly ? nameOnly : whole, step)
      if (turn) turn.isShown = true
    } else if (isAbout(event, names)) {
      events.push({ seq, step, ...(attempt && { attempt }), text: describeEvent(event) })
      noteAction(actions, seq, event, turn?.turn ?? 0)
      if (turn) turn.isUsed = true
    } else if (event.type === 'call.started' && event.caller === 'model') turn?.used.add(event.tool)
    else if (event.type === 'source.opened' && event.source === 'skill') turn?.used.add(event.owner)
  }
  const { turn = 0, said = null } = turns.at(-1) ?? {}
  return {
    requests: step,
    shown: isKnown ? { whole, nameOnly, last } : null,
    events,
    passedOver: turns
      .filter(({ isShown, isUsed }) => isShown && !isUsed)
      .map(({ turn, said, used }) => ({ turn, said, used: [...used] })),
    repeated: actions.filter(({ entries }) => entries.length > 1),
    asked: said === null ? null : { turn, said },
  }
}

/** Notes an action that ran. One that was interrupted, and runs again under its id, is the same. */
function noteAction(
  actions: { turn: number; digest: string; entries: number[] }[],
  seq: number,
  event: WorkspaceEvent,
  turn: number,
): void {
  if (event.type !== 'call.started' || event.category !== 'action') return
  const { digest, again } = event
  const known = actions.find((one) => one.turn === turn && one.digest === digest)
  if (known === undefined) actions.push({ turn, digest, entries: [seq] })
  else if (again === undefined) known.entries.push(seq)
}

function addTo(runs: Run[], step: number): void {
  const run = runs.at(-1)
  if (run && run[1] === step - 1) runs[runs.length - 1] = [run[0], step]
  else runs.push([step, step])
}

/** The place of a name in one request. */
interface Found {
  readonly last: LastShown
  readonly isNameOnly: boolean
}

function placeInTools(exposed: readonly ExposedTool[], names: ReadonlySet<string>): Found | null {
  const sent = exposed.filter(({ removed }) => removed !== true)
  const at = sent.findIndex(({ name }) => names.has(name))
  const found = sent[at]
  if (found === undefined) return null
  const isNameOnly = found.deferred === true && found.referenced !== true
  return { last: { place: at + 1, of: sent.length }, isNameOnly }
}

function placeInList(list: ListedSkills = [], names: ReadonlySet<string>): Found | null {
  const at = list.findIndex(({ name }) => names.has(name))
  const found = list[at]
  if (found === undefined) return null
  const { description } = found
  return { last: { place: at + 1, of: list.length, description }, isNameOnly: description === null }
}

/** Returns true for an event about a tool or a skill, other than that a request showed it. */
function isAbout(event: WorkspaceEvent, names: ReadonlySet<string>): boolean {
  switch (event.type) {
    case 'call.started':
    case 'call.ended':
    case 'call.abandoned':
    case 'call.retried':
    case 'confirmation.asked':
    case 'tool.switched':
      return names.has(event.tool)
    case 'command.refused':
    case 'warning.given':
      return names.has(event.subject)
    case 'activation.failed':
      return names.has(event.skill) || names.has(event.wanted)
    case 'source.opened':
    case 'source.closed':
      return event.source === 'skill' && names.has(event.owner)
    default:
      return false
  }
}
