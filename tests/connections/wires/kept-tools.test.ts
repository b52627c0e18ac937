import { createCatalog, VirtualWorkspace } from 'loadout'
import { expect, onTestFinished, test } from 'vitest'
import { openWireServer } from '../../wires/server/open-wire-server.ts'
import { aSkill, aTool } from '../../workspace/a-workspace.ts'
import { WIRE_DRIVERS } from './wire-sessions/wire-drivers.ts'

type Change = (workspace: VirtualWorkspace, turn: () => Promise<void>) => Promise<unknown>

const version = (name: string, number: number) => aTool(name, { description: `Version ${number}.` })

const owls = (number: number) => aSkill('owls', { tools: [version('owls_look', number)] })

const catalogIn = (number: number, skills = [owls(number)]) =>
  createCatalog({ skills, tools: [version('clock', number)] })

/** Changes of tools after the first request, by whoever makes them. */
const ADDITIONS: Readonly<Record<string, Change>> = {
  'a server adds a tool': (one) => one.syncTools('alpha', [aTool('alpha_one'), aTool('later')]),
  'the host attaches a second server': (one) => one.syncTools('beta', [aTool('later')]),
  'the host registers a tool': (one) => one.registerTool(aTool('later')),
  'a person switches a tool on': (one) => one.setToolEnabled('later', true),
}

const REPLACEMENTS: Readonly<Record<string, Change>> = {
  'the host replaces a definition': (one) =>
    one.registerTool(version('clock', 2), { replace: true }),
  'a server changes a definition, and a person accepts it': async (one) => {
    await one.syncTools('alpha', [version('alpha_one', 2)])
    await one.acceptTool('alpha_one')
  },
  'a tool of a server leaves and comes back in another version': async (one, turn) => {
    await one.syncTools('alpha', [])
    await turn()
    await one.syncTools('alpha', [version('alpha_one', 3)])
    await one.acceptTool('alpha_one')
  },
  'a skill comes back in another version': async (one) => {
    await one.deactivateSkill('owls')
    await one.takeCatalog(await catalogIn(2))
    await one.activateSkill('owls')
  },
  'the host has another catalog': async (one) => one.takeCatalog(await catalogIn(2, [])),
  'a person switches a tool off': (one) => one.setToolEnabled('clock', false),
  'the host detaches a server': (one) => one.detach('alpha'),
}

const MODELS_WITH_CHANGES: ReadonlySet<string> = new Set([
  'AI SDK, OpenAI',
  'OpenAI Responses, gpt-5.4',
  'AI SDK, Anthropic',
  'Anthropic beta, claude-opus-4-8',
])

const rows = WIRE_DRIVERS.filter(({ name }) => MODELS_WITH_CHANGES.has(name)).flatMap((driver) =>
  Object.entries({
    ...ADDITIONS,
    ...(driver.options.provider === 'anthropic' && REPLACEMENTS),
  }).map(([name, change]) => ({ name: driver.name, what: name, driver, change })),
)

test.each(rows)(
  '$name: $what, and nothing that was sent changes',
  async ({ driver, what, change }) => {
    const server = await openWireServer({ answers: () => 'Done.' })
    onTestFinished(() => server.close())
    const workspace = await VirtualWorkspace.open({
      // Without a skill, nothing says that tools come later.
      catalog: await catalogIn(1, what.startsWith('a skill') ? [owls(1)] : []),
      metaTools: [],
      ...driver.options,
    })
    onTestFinished(() => workspace.close())
    if (what.startsWith('a skill')) await workspace.activateSkill('owls')
    await workspace.syncTools('alpha', [version('alpha_one', 1)])
    if (what === 'a person switches a tool on') {
      await workspace.registerTool(aTool('later'))
      await workspace.setToolEnabled('later', false)
    }
    const conversation = driver.converse(server.url, {})
    const { signal } = new AbortController()
    const turn = () => conversation.turn(workspace, 'Go on.', signal)
    await turn()
    await change(workspace, turn)
    await turn()
    await turn()
    const tools = server.requests.map(({ body }) => JSON.stringify(body['tools']))
    expect(tools[0]).toContain('alpha_one')
    expect(new Set(tools).size).toBe(1)
    expect(server.violations).toEqual([])
    for (const { event } of await workspace.entries()) {
      if (event.type !== 'step.begun') continue
      const { strategy, cost } = event
      expect({ strategy, changed: cost?.changed, kept: cost?.kept }).toEqual({
        strategy: 'conversation',
        changed: null,
        kept: cost?.previous,
      })
    }
    // A change that was not sent would keep the prefix, too.
    const text = JSON.stringify(server.requests.at(-1)?.body)
    expect(text).toMatch(/later|Version [23]|tool_removal/u)
  },
)
