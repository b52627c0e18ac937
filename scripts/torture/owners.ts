import fc from 'fast-check'
import type { TorturePart } from './torture-part.ts'
import { createCatalog } from '../../src/catalog/create/create-catalog.ts'
import { defineComponent } from '../../src/components/define-component.ts'
import { listingAddress } from '../../src/engine/standing/list-tools.ts'
import { defineSkill } from '../../src/skills/definition/define-skill.ts'
import type { OnConflict } from '../../src/skills/definition/skill.ts'
import { defineTool } from '../../src/tools/define-tool.ts'
import { bindTool } from '../../src/tools/definition/make-tool.ts'
import type { ToolContext } from '../../src/tools/definition/tool-context.ts'
import type { Tool } from '../../src/tools/definition/tool.ts'
import type { Outcome } from '../../src/workspace/commands/outcome.ts'
import { slowedLog } from './slowed-log.ts'
import { createMemoryLog } from '../../src/workspace/log/memory-log.ts'
import { VirtualWorkspace } from '../../src/workspace/virtual-workspace.ts'

const SEQUENCES = 20_000

/** Registers equal tools for many owners, from two processes on a slow log, and looks whose handlers run. */
export const owners: TorturePart = {
  name: 'owners',
  claim:
    'The handler that runs is that of the owner that explain names, as this process registered it last.',
  async run({ seed, scale, forMs }) {
    const wanted = Math.ceil(SEQUENCES * scale)
    const seen = { sequences: 0, calls: 0 }
    const law = fc.asyncProperty(
      fc.array(deeds, { maxLength: 14 }),
      turns,
      async (life, delays) => {
        const { calls, fault } = await liveThrough(life, delays)
        seen.sequences += 1
        seen.calls += calls
        if (fault !== null) throw new Error(fault)
      },
    )
    const details = await fc.check(law, { seed, numRuns: wanted, interruptAfterTimeLimit: forMs })
    const [life = []] = details.counterexample ?? []
    const problem = details.errorInstance
    const message = problem instanceof Error ? problem.message : String(problem)
    return {
      figures: {
        'random sequences of registrations': seen.sequences,
        'calls, each of the owner that is named': seen.calls,
        'handlers of another owner that ran': details.failed ? 1 : 0,
      },
      failures: details.failed
        ? [[message, ...life.map((one) => JSON.stringify(one))].join('\n')]
        : [],
      done: details.failed ? 1 : seen.sequences / wanted,
    }
  },
}

const COMPONENTS = ['left', 'right'] as const

const KINDS = ['draw', 'draw otherwise', 'note'] as const

type Kind = (typeof KINDS)[number]

/** One thing that a process does. */
type Deed =
  | {
      readonly do: 'register'
      readonly owner: (typeof COMPONENTS)[number] | 'global'
      readonly kinds: readonly Kind[]
      readonly onConflict: OnConflict
      readonly replace: boolean
      readonly trusted: boolean
    }
  | { readonly do: 'unregister'; readonly owner: (typeof COMPONENTS)[number] }
  | { readonly do: 'unregister tool'; readonly tool: string }
  | { readonly do: 'activate' | 'deactivate'; readonly skill: string }
  | { readonly do: 'reopen' }

const deeds = fc.record({
  /** The process that does it. */
  by: fc.constantFrom(0 as const, 1 as const),
  /** A tool is called while the deed is being done. */
  meanwhile: fc.boolean(),
  deed: fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({
        do: fc.constant('register' as const),
        owner: fc.constantFrom(...COMPONENTS, 'global' as const),
        kinds: fc.constantFrom<readonly Kind[]>(
          ['draw'],
          ['draw otherwise'],
          ['draw', 'note'],
          ['note', 'draw otherwise'],
        ),
        onConflict: fc.constantFrom('refuse' as const, 'shadow' as const, 'namespace' as const),
        replace: fc.boolean(),
        trusted: fc.boolean(),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constant('unregister' as const),
        owner: fc.constantFrom(...COMPONENTS),
      }),
    },
    fc.record({
      do: fc.constant('unregister tool' as const),
      tool: fc.constantFrom('draw', 'note', 'global__draw'),
    }),
    {
      weight: 2,
      arbitrary: fc.record({
        do: fc.constantFrom('activate' as const, 'deactivate' as const),
        skill: fc.constantFrom('painting', 'sketching', 'planning'),
      }),
    },
    { weight: 1, arbitrary: fc.constant({ do: 'reopen' as const }) },
  ),
})

/** Turns of the event loop that the requests to the log take. */
const turns = fc.array(fc.nat({ max: 3 }), { minLength: 1, maxLength: 9 })

/** A handler says whose it is, and which of its owner's registrations it came with. */
interface Answer {
  readonly owner: string
  readonly instance: number
  /** The owner that the call was made for. */
  readonly calledFor: string
}

/** Makes the tools of one registration. */
function toolsOf(owner: string, instance: number, kinds: readonly Kind[]): readonly Tool[] {
  return kinds.map(
    (kind) =>
      defineTool({
        name: kind === 'note' ? 'note' : 'draw',
        description: `Says ${kind}.`,
        category: 'utility',
        execute: (_, { call }: ToolContext): Answer => ({
          owner,
          instance,
          calledFor: call.owner,
        }),
      }) as Tool,
  )
}

const unbound = toolsOf('planning', 0, ['draw', 'note']).map((tool) => bindTool(tool))

const catalog = await createCatalog({
  skills: [
    { name: 'painting', tools: toolsOf('painting', 0, ['draw']), onConflict: 'shadow' as const },
    { name: 'sketching', tools: toolsOf('sketching', 0, ['draw otherwise', 'note']) },
    { name: 'planning', tools: unbound, onConflict: 'namespace' as const },
  ].map((skill) => defineSkill({ description: `For ${skill.name}.`, ...skill })),
})

/** The latest registrations of each owner in one process, by `owner/hash`. */
type Registered = Map<string, { readonly instance: number; readonly trusted: boolean }>

interface Process {
  workspace: VirtualWorkspace
  readonly registered: Registered
}

/** Plays a life in two processes. Returns the number of calls, and the first fault. */
async function liveThrough(
  life: readonly { readonly by: 0 | 1; readonly meanwhile: boolean; readonly deed: Deed }[],
  delays: readonly number[],
): Promise<{ readonly calls: number; readonly fault: string | null }> {
  let instances = 0
  const log = slowedLog(createMemoryLog(), delays)
  const open = () => VirtualWorkspace.open({ catalog, log, session: 's', metaTools: [] })
  const processes: [Process, Process] = [
    { workspace: await open(), registered: new Map() },
    { workspace: await open(), registered: new Map() },
  ]
  let calls = 0
  for (const [index, { by, meanwhile, deed }] of life.entries()) {
    const process = processes[by]
    const other = processes[1 - by] as Process
    const fault = (text: string) => ({
      calls,
      fault: `number ${index + 1}, ${JSON.stringify(deed)}: ${text}`,
    })
    if (deed.do === 'reopen') {
      await process.workspace.close()
      process.workspace = await open()
      process.registered.clear()
    } else {
      const instance = (instances += 1)
      const before = new Map(process.registered)
      const [outcome, answered] = await Promise.all([
        carryOut(process.workspace, deed, instance),
        meanwhile ? process.workspace.callTool('draw', {}) : null,
      ])
      if (outcome.ok) {
        await other.workspace.beginTurn()
        note(process.registered, deed, instance)
        note(other.registered, deed, null)
      }
      if (answered?.ok === true) {
        calls += 1
        const { owner, instance: ran, calledFor } = answered.data as Answer
        const allowed = [before, process.registered].flatMap((registered) =>
          instancesOf(registered, owner),
        )
        if (owner !== calledFor) return fault(`meanwhile, ${owner} ran for ${calledFor}`)
        if (!isSkill(owner) && !allowed.includes(ran))
          return fault(`meanwhile, ${owner} ran ${ran}`)
      }
    }
    for (const { workspace, registered } of processes) {
      for (const one of workspace.tools()) {
        const address = listingAddress(one)
        const { status, owner } = workspace.explain(address)
        const expected = registered.get(`${owner}/${one.tool?.hash ?? ''}`)?.instance
        if (status === 'unbound' && expected !== undefined) return fault(`${address} is unbound`)
        if (status !== 'available') continue
        const response = await workspace.callTool(address, {})
        calls += 1
        if (!response.ok) return fault(`${address} failed: ${response.error.message}`)
        const answer = response.data as Answer
        if (answer.owner !== owner || answer.calledFor !== owner) {
          return fault(`${address} of ${owner} ran the handler of ${answer.owner}`)
        }
        if (!isSkill(answer.owner) && answer.instance !== expected) {
          return fault(`${address} ran number ${answer.instance}, not ${expected}`)
        }
      }
    }
  }
  await Promise.all(processes.map(({ workspace }) => workspace.close()))
  return { calls, fault: null }
}

function isSkill(owner: string): boolean {
  return catalog.skills.has(owner)
}

function instancesOf(registered: Registered, owner: string): readonly number[] {
  return [...registered].flatMap(([key, { instance }]) =>
    key.startsWith(`${owner}/`) ? [instance] : [],
  )
}

function carryOut(
  workspace: VirtualWorkspace,
  deed: Exclude<Deed, { do: 'reopen' }>,
  instance: number,
): Promise<Outcome> {
  switch (deed.do) {
    case 'register': {
      const { do: _, owner, kinds, ...options } = deed
      const tools = toolsOf(owner, instance, kinds)
      if (owner === 'global') return workspace.registerTool(tools[0] as Tool, options)
      const component = defineComponent({
        key: owner,
        initialState: null,
        tools: () => tools as never,
        panel: () => ({ title: owner, lines: [] }),
      })
      return workspace.registerComponent(component, options)
    }
    case 'unregister':
      return workspace.unregisterComponent(deed.owner)
    case 'unregister tool':
      return workspace.unregisterTool(deed.tool)
    case 'activate':
      return workspace.activateSkill(deed.skill)
    case 'deactivate':
      return workspace.deactivateSkill(deed.skill)
  }
}

/** Notes what a deed did to the handlers of one process; `instance` is null when another process did it. */
function note(registered: Registered, deed: Deed, instance: number | null): void {
  switch (deed.do) {
    case 'register': {
      const { owner, trusted } = deed
      const kinds = owner === 'global' ? deed.kinds.slice(0, 1) : deed.kinds
      // A component that is registered again with replace has only its new tools.
      const listed = new Set(toolsOf(owner, 0, kinds).map(({ hash }) => `${owner}/${hash}`))
      for (const key of deed.replace && owner !== 'global' ? registered.keys() : []) {
        if (key.startsWith(`${owner}/`) && !listed.has(key)) registered.delete(key)
      }
      for (const { name, hash } of toolsOf(owner, 0, kinds)) {
        for (const other of toolsOf(owner, 0, KINDS)) {
          if (other.name === name && other.hash !== hash)
            registered.delete(`${owner}/${other.hash}`)
        }
        const key = `${owner}/${hash}`
        const isTaken = !trusted && registered.get(key)?.trusted === true
        if (instance !== null && !isTaken) registered.set(key, { instance, trusted })
      }
      return
    }
    case 'unregister':
      for (const key of registered.keys()) {
        if (key.startsWith(`${deed.owner}/`)) registered.delete(key)
      }
      return
    case 'unregister tool': {
      const name = deed.tool.replace('global__', '')
      for (const tool of toolsOf('global', 0, KINDS)) {
        if (tool.name === name) registered.delete(`global/${tool.hash}`)
      }
      return
    }
    case 'activate':
    case 'deactivate':
    case 'reopen':
  }
}
