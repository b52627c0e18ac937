import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
  type WorkspaceStep,
  type WorkspaceOptions,
} from 'loadout'
import { providerName } from 'loadout/adapter'
import { z } from 'zod'
import { compareBodies } from '../../wires/compare/compare-bodies.ts'
import { promptParts } from '../../wires/compare/prompt-parts.ts'
import type { Answer, WireCall } from '../../wires/server/answer.ts'
import { openWireServer, type WireRequest } from '../../wires/server/open-wire-server.ts'
import type { Violation } from '../../wires/wire.ts'
import type { WireDriver } from './wire-driver.ts'

/** Chooses by a seed: the same seed makes the same session. */
interface Dice {
  /** A whole number from 0 to `below` - 1. */
  roll(below: number): number
}

/** A linear congruential generator: the same numbers on every machine. */
function diceOf(seed: number): Dice {
  let state = (seed * 2654435761 + 1) >>> 0
  return {
    roll(below) {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0
      return Math.floor((state / 2 ** 32) * below)
    },
  }
}

const SKILLS = ['pdf', 'bin', 'mail', 'maps', 'music', 'notes'] as const

/** A description of the usual length of those of real tools. */
const LONG = 'It takes its input as the schema says, and returns what was done in a few words. '

async function wireCatalog(): Promise<Catalog> {
  const toolOf = (name: string, category: 'retrieval' | 'action' = 'retrieval') =>
    defineTool({
      name,
      description: `Runs ${name}. ${LONG.repeat(2)}`,
      category,
      inputSchema: z.object({ file: z.string().optional(), count: z.int().optional() }),
      execute: ({ file }) => ({ done: name, file: file ?? 'none' }),
    })
  return createCatalog({
    skills: SKILLS.map((name) =>
      defineSkill({
        name,
        description: `Works with ${name}.`,
        instructions: `Think of ${name} before you answer. ${LONG.repeat(3)}`,
        // One name is not legal for every provider.
        tools: [toolOf(`${name}_read`), toolOf(`${name}.write`, 'action')],
      }),
    ),
    tools: [toolOf('clock'), toolOf('fs.read_file')],
    agents: [defineAgent({ name: 'clerk', prompt: `You help in an office. ${LONG.repeat(4)}` })],
  })
}

/** One request with what the ledger says of it. */
export interface WireStep {
  readonly strategy: string
  readonly cost: WorkspaceStep['cost']
  readonly request: WireRequest
  /** The parts of the body of each message of the conversation. */
  readonly sizes: readonly number[]
}

export interface WireSession {
  readonly steps: readonly WireStep[]
  readonly violations: readonly Violation[]
  readonly deeds: readonly string[]
}

/**
 * Runs one session of a host over a socket: a model that loads, calls and searches at random, and a host that
 * activates skills, shortens and changes its history, and opens the session again in another process's way.
 */
export async function runWireSession(
  driver: WireDriver,
  {
    seed,
    steps: most,
    exposure,
  }: {
    readonly seed: number
    readonly steps: number
    readonly exposure?: WorkspaceOptions['exposure']
  },
): Promise<WireSession> {
  const dice = diceOf(seed)
  const catalog = await wireCatalog()
  const log = createMemoryLog()
  const searches = dice.roll(3) === 0
  const deeds: string[] = []
  const open = () =>
    VirtualWorkspace.open({
      catalog,
      agent: 'clerk',
      log,
      session: 'chat',
      ...driver.options,
      ...(searches && { discovery: {} }),
      ...(exposure !== undefined && { exposure }),
    })
  let workspace = await open()
  const server = await openWireServer({
    answers: ({ index }) => (index + 1 >= most ? 'Done.' : answerOf(dice, workspace)),
  })
  const conversation = driver.converse(server.url)
  for (let turn = 0; server.requests.length < most; turn += 1) {
    for (let count = dice.roll(3); count > 0; count -= 1) {
      const deed = dice.roll(9)
      const skill = SKILLS[dice.roll(SKILLS.length)] ?? 'pdf'
      if (deed < 3) {
        deeds.push(`turn ${turn}: the host activates ${skill}`)
        await workspace.activateSkill(skill)
      } else if (deed < 5) {
        deeds.push(`turn ${turn}: the host deactivates ${skill}`)
        await workspace.deactivateSkill(skill)
      } else if (deed === 5) {
        deeds.push(`turn ${turn}: the session is opened again`)
        await workspace.close()
        workspace = await open()
      } else if (deed === 6) {
        deeds.push(`turn ${turn}: the host stores its messages`)
        conversation.messages = structuredClone(conversation.messages)
      } else if (deed === 7 && turn > 1) {
        const users = conversation.messages.flatMap((one, index) => (isUser(one) ? index : []))
        const from = users[1 + dice.roll(users.length - 1)] ?? 0
        deeds.push(`turn ${turn}: the host drops its first ${from} messages`)
        conversation.messages = conversation.messages.slice(from)
      } else if (turn > 0) {
        const at = conversation.messages.findIndex(isUser)
        deeds.push(`turn ${turn}: the host changes its message ${at}`)
        conversation.messages = conversation.messages.with(at, {
          ...(conversation.messages[at] as object),
          content: `Changed in turn ${turn}.`,
        })
      }
    }
    await conversation.turn(workspace, `This is what the user says in turn ${turn}.`)
  }
  const begun = (await workspace.entries()).flatMap(({ event }) =>
    event.type === 'step.begun' && event.cost !== undefined
      ? { strategy: event.strategy, cost: event.cost }
      : [],
  )
  await workspace.close()
  await server.close()
  if (begun.length !== server.requests.length) throw new Error('A step without a request.')
  const steps = begun.map((step, index): WireStep => ({
    ...step,
    request: server.requests[index] as WireRequest,
    sizes: conversation.sizes[index] ?? [],
  }))
  return { steps, violations: server.violations, deeds }
}

/** A message that only the user wrote: results of calls have the same role with some providers. */
function isUser(message: unknown): boolean {
  const { role, content } = message as { role?: unknown; content?: unknown }
  return role === 'user' && typeof content === 'string'
}

/** The next words of a model: calls, up to three at once, or the end of the turn. */
function answerOf(dice: Dice, workspace: VirtualWorkspace): Answer {
  if (dice.roll(5) === 0) return 'That is all.'
  return Array.from({ length: dice.roll(6) === 0 ? 3 : 1 }, (): WireCall => {
    const skillName = SKILLS[dice.roll(SKILLS.length)] ?? 'pdf'
    const offered = workspace.getAvailableTools().map(({ name }) => name)
    const chosen = offered[dice.roll(offered.length)] ?? 'clock'
    const kind = dice.roll(8)
    if (kind < 3) return { name: 'loadSkill', input: { skillName } }
    if (kind === 3) return { name: 'unloadSkill', input: { skillName } }
    if (kind === 4) return { name: 'tool_search', input: { query: `${skillName} read` } }
    return { name: workspace.sentName(chosen), input: { file: 'a.pdf' } }
  })
}

/** The first thing about a request on which the ledger and the socket do not agree; null when they agree. */
export function disagreement(before: WireStep, now: WireStep): string | null {
  const { cost } = now
  const seen = compareBodies(now.request.wire, before.request.body, now.request.body, cost.order)
  const told = cost.changed
  const text = JSON.stringify({ ledger: told, socket: seen.changed })
  if ((told === null) !== (seen.changed === null)) return `changed: ${text}`
  if (told === null || seen.changed === null)
    return cost.kept === cost.previous && cost.lost === 0 ? null : `kept: ${text}`
  if (told.segment !== seen.changed.segment) return `segment: ${text}`
  const isSameTool = seen.changed.part === providerName(told.part, 'openai')
  if (told.segment === 'tools' && !isSameTool) return `tool: ${text}`
  if (told.segment !== 'conversation') return null
  // The first message that differs became these parts of the body; one of them is the first that differs.
  const message = told.message ?? -1
  const others = promptParts(now.request.wire, now.request.body, cost.order)
  const first = seen.keptParts - others.filter(({ segment }) => segment !== 'conversation').length
  const from = sum(now.sizes.slice(0, message))
  const to = Math.max(from, sum(now.sizes.slice(0, message + 1)) - 1)
  if (first >= from && first <= to) return null
  return `message ${message} is ${from} to ${to}, not ${first}: ${text}`
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
