import {
  createCatalog,
  createMemoryLog,
  defineAgent,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Catalog,
  type Tool,
  type WorkspaceOptions,
} from 'loadout'
import { z } from 'zod'
import type { Answer, WireCall } from '../../../wires/server/answer.ts'
import { openWireServer, type WireRequest } from '../../../wires/server/open-wire-server.ts'
import type { Violation } from '../../../wires/wire.ts'
import type { WireStep } from './disagreement.ts'
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

type MakeTool = (name: string, version?: number, category?: 'retrieval' | 'action') => Tool

/** Makes tools in several versions. @param ran is called by each handler with the number of the call */
function toolMaker(ran: (call: number) => void): MakeTool {
  return (name, version = 0, category = 'retrieval') =>
    defineTool({
      name,
      description: `Runs ${name}. ${'Differently. '.repeat(version)}${LONG.repeat(2)}`,
      category,
      inputSchema: z.object({ file: z.string().optional(), count: z.int().optional() }),
      execute: ({ file, count = -1 }) => {
        ran(count)
        return { done: name, file: file ?? 'none' }
      },
    }) as Tool
}

/** The catalog of a host in one of its versions: some skills and tools are another in each. */
function wireCatalog(toolOf: MakeTool, version: number): Promise<Catalog> {
  return createCatalog({
    skills: SKILLS.map((name, index) =>
      defineSkill({
        name,
        description: `Works with ${name}.`,
        instructions: `Think of ${name} for {{ NAME }} before you answer. ${LONG.repeat(3)}`,
        // One name is not legal for every provider.
        tools: [
          toolOf(`${name}_read`, index < 3 ? version : 0),
          toolOf(`${name}.write`, 0, 'action'),
        ],
      }),
    ),
    tools: [toolOf('clock', version), toolOf('fs.read_file')],
    agents: [defineAgent({ name: 'clerk', prompt: `You help in an office. ${LONG.repeat(4)}` })],
  })
}

export interface WireSession {
  readonly steps: readonly WireStep[]
  readonly violations: readonly Violation[]
  readonly deeds: readonly string[]
  /** Calls whose handler ran more than once, and calls of answers that never arrived whose handler ran. */
  readonly wrongRuns: readonly string[]
}

/**
 * Runs one session of a host over a socket: a model that loads, calls and searches at random, and a host that
 * activates skills, shortens, summarises and changes its history, opens the session again in another process's
 * way, and shares it with other processes. The provider fails at times, and the host aborts runs. Servers, the host and
 * a person change tools, also in other versions, and the model of the requests changes.
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
  const runs = new Map<number, number>()
  /** A run that is to be aborted: while the provider answers, or by the next handler. */
  let aborts: { readonly in: 'answer' | 'handler'; readonly controller: AbortController } | null =
    null
  const toolOf = toolMaker((call) => {
    runs.set(call, (runs.get(call) ?? 0) + 1)
    if (aborts?.in === 'handler') aborts.controller.abort()
  })
  let catalog = await wireCatalog(toolOf, 0)
  const log = createMemoryLog()
  const searches = dice.roll(3) === 0
  const trim = dice.roll(5) === 0 ? { above: 12, keep: 6 } : undefined
  const processes = dice.roll(4) === 0 ? 3 : 1
  const deeds: string[] = [`search ${searches}, trim ${trim !== undefined}, processes ${processes}`]
  const open = () =>
    VirtualWorkspace.open({
      catalog,
      agent: 'clerk',
      log,
      session: 'chat',
      variables: { NAME: 'Ada' },
      ...driver.options,
      ...(searches && { discovery: {} }),
      ...(exposure !== undefined && { exposure }),
    })
  const workspaces: VirtualWorkspace[] = []
  for (let count = 0; count < processes; count += 1) workspaces.push(await open())
  let at = 0
  const current = () => workspaces[at] as VirtualWorkspace
  let calls = 0
  const lost = new Set<number>()
  let failed = false
  const steps: WireStep[] = []
  const answer = async (request: WireRequest): Promise<Answer> => {
    const begun = (await log.read('chat')).flatMap(({ event }) =>
      event.type === 'step.begun' && event.cost !== undefined
        ? { strategy: event.strategy, cost: event.cost }
        : [],
    )
    const step = begun.at(-1)
    if (step === undefined || begun.length !== request.index + 1) {
      throw new Error('A step without a request.')
    }
    steps.push({ ...step, request, sizes: conversation.sizes.at(-1) ?? [] })
    if (request.index + 1 >= most) return 'Done.'
    if (aborts?.in === 'answer') aborts.controller.abort()
    const fault = dice.roll(30)
    const said = answerOf(dice, current(), () => (calls += 1))
    if (fault > 2 && aborts?.in !== 'answer') return said
    if (typeof said !== 'string') for (const { number } of said) lost.add(number)
    if (fault > 2) return said
    failed = true
    if (fault === 0) return { status: 429 }
    if (fault === 1) return { status: 503 }
    const broken = { by: 'drop', after: 3 } as const
    return typeof said === 'string' ? { text: said, broken } : { calls: said, broken }
  }
  const changeTools = async (): Promise<string> => {
    const version = dice.roll(3)
    const kind = dice.roll(7)
    const workspace = current()
    if (kind < 2) {
      // Both servers have a tool of one name.
      const name = ['alpha', 'beta'][dice.roll(2)] ?? 'alpha'
      const names = [`${name}_one`, `${name}_two`, 'sum'].filter(() => dice.roll(3) > 0)
      const tools = names.map((one) => toolOf(one, dice.roll(3)))
      await workspace.syncTools(name, tools, { trusted: dice.roll(2) === 0 })
      return `the server ${name} has ${names.join(', ')}`
    }
    if (kind === 2) {
      const changed = workspace.tools().filter(({ status }) => status === 'changed')
      for (const { name } of changed) await workspace.acceptTool(name)
      return `a person accepts ${changed.map(({ name }) => name).join(', ')}`
    }
    if (kind === 3) {
      const name = `extra_${dice.roll(2)}`
      if (dice.roll(3) === 0) await workspace.unregisterTool(name)
      else await workspace.registerTool(toolOf(name, version), { replace: true })
      return `the host registers or removes ${name}`
    }
    if (kind === 4) {
      const rows = workspace.tools()
      const row = rows[dice.roll(rows.length)]
      if (row) await workspace.setToolEnabled(row.name, row.status === 'disabled')
      return `a person switches ${row?.name}`
    }
    if (kind === 5) {
      catalog = await wireCatalog(toolOf, version)
      await workspace.takeCatalog(catalog)
      return `the host has its catalog in version ${version}`
    }
    conversation.usesOther = !conversation.usesOther
    return 'the model is another'
  }
  const server = await openWireServer({ answers: answer })
  const conversation = driver.converse(server.url, trim ? { trim } : {})
  for (let turn = 0; server.requests.length < most; turn += 1) {
    at = dice.roll(workspaces.length)
    for (let count = dice.roll(3); count > 0; count -= 1) {
      const deed = dice.roll(16)
      const skill = SKILLS[dice.roll(SKILLS.length)] ?? 'pdf'
      if (deed < 3) {
        deeds.push(`turn ${turn}: the host activates ${skill}`)
        await current().activateSkill(skill)
      } else if (deed < 5) {
        deeds.push(`turn ${turn}: the host deactivates ${skill}`)
        await current().deactivateSkill(skill)
      } else if (deed === 5) {
        deeds.push(`turn ${turn}: process ${at} opens the session again`)
        await current().close()
        workspaces[at] = await open()
      } else if (deed === 6) {
        deeds.push(`turn ${turn}: the host stores its messages`)
        conversation.messages = structuredClone(conversation.messages)
      } else if (deed === 7 && turn > 1) {
        const users = conversation.messages.flatMap((one, index) => (isUser(one) ? index : []))
        if (users.length < 2) continue
        const from = users[1 + dice.roll(users.length - 1)] ?? 0
        deeds.push(`turn ${turn}: the host drops its first ${from} messages`)
        conversation.messages = conversation.messages.slice(from)
      } else if (deed === 8 && turn > 1) {
        deeds.push(`turn ${turn}: the host summarises its history`)
        const { text } = await current().compact()
        conversation.messages = [{ role: 'user', content: `${text}\nMuch was said before.` }]
      } else if (deed >= 10) {
        deeds.push(`turn ${turn}: ${await changeTools()}`)
      } else if (turn > 0) {
        const first = conversation.messages.findIndex(isUser)
        deeds.push(`turn ${turn}: the host changes its message ${first}`)
        conversation.messages = conversation.messages.with(first, {
          ...(conversation.messages[first] as object),
          content: `Changed in turn ${turn}.`,
        })
      }
    }
    const controller = new AbortController()
    const abort = dice.roll(12)
    aborts = abort < 2 ? { in: abort === 0 ? 'answer' : 'handler', controller } : null
    if (aborts) deeds.push(`turn ${turn}: the host aborts in the next ${aborts.in}`)
    let text: string | null = `This is what the user says in turn ${turn}.`
    while (true) {
      failed = false
      try {
        await conversation.turn(current(), text, controller.signal)
      } catch (error) {
        if (!failed && !controller.signal.aborted) throw error
      }
      if (!failed || controller.signal.aborted) break
      deeds.push(`turn ${turn}: request ${server.requests.length - 1} fails`)
      text = null
    }
    aborts = null
  }
  for (const workspace of workspaces) await workspace.close()
  await server.close()
  return {
    steps,
    violations: server.violations,
    deeds,
    wrongRuns: [...runs].flatMap(([call, count]) => [
      ...(count > 1 ? [`call ${call} ran ${count} times`] : []),
      ...(lost.has(call) ? [`call ${call} of an answer that was lost ran`] : []),
    ]),
  }
}

/** A message that only the user wrote: results of calls have the same role with some providers. */
function isUser(message: unknown): boolean {
  const { role, content, parts } = message as {
    role?: unknown
    content?: unknown
    parts?: readonly object[]
  }
  const isText = typeof content === 'string' || parts?.every((part) => 'text' in part) === true
  return role === 'user' && isText
}

interface NumberedCall extends WireCall {
  readonly number: number
}

/** The next words of a model: calls, up to three at once, or the end of the turn. */
function answerOf(
  dice: Dice,
  workspace: VirtualWorkspace,
  next: () => number,
): string | readonly NumberedCall[] {
  if (dice.roll(5) === 0) return `That is all of ${next()}.`
  return Array.from({ length: dice.roll(6) === 0 ? 3 : 1 }, (): NumberedCall => {
    const number = next()
    const skillName = SKILLS[dice.roll(SKILLS.length)] ?? 'pdf'
    const offered = workspace.getAvailableTools().map(({ name }) => name)
    const chosen = offered[dice.roll(offered.length)] ?? 'clock'
    const kind = dice.roll(8)
    if (kind < 3) return { name: 'loadSkill', input: { skillName }, number }
    if (kind === 3) return { name: 'unloadSkill', input: { skillName }, number }
    if (kind === 4) return { name: 'tool_search', input: { query: `${skillName} read` }, number }
    return {
      name: workspace.calls.sentName(chosen),
      input: { file: 'a.pdf', count: number },
      number,
    }
  })
}
