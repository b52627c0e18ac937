import {
  createCatalog,
  defineAgent,
  defineComponent,
  defineSkill,
  defineTool,
  type Catalog,
  type VirtualWorkspace,
} from 'loadout'
import fc from 'fast-check'
import { z } from 'zod'

/** The next actions of the hooks of a random session; shared by all of them, so that order matters. */
export type HookScript = ('fine' | 'throws' | 'waits' | 'commands' | 'hangs')[]

/** Gives hooks their next action and, for those that command, the workspace itself. */
export interface HookStage {
  readonly script: HookScript
  workspace?: VirtualWorkspace
}

const tool = (name: string, more: object = {}) =>
  defineTool({
    name,
    description: `Does ${name}.`,
    inputSchema: z.object({}),
    execute: () => name,
    ...more,
  })

const shared = tool('shared')

/** Answers in turns with entities for memory, with none, and with ones it cannot extract. */
function listing() {
  let calls = 0
  const results = [{ pages: [{ id: 1, name: 'One' }] }, { pages: [] }, { gone: true }, 'text', null]
  return tool('listing', {
    extraction: { path: 'pages', type: 'page', nameField: 'name', isArray: true },
    execute: () => results[calls++ % results.length],
  })
}

/** Skills that require, exclude, shadow, share and end, a component, global tools, an agent. */
export function stagedCatalog(stage: HookStage): Promise<Catalog> {
  const hook = async ({ signal }: { signal: AbortSignal }) => {
    switch (stage.script.shift() ?? 'fine') {
      case 'fine':
        return
      case 'throws':
        throw new Error('scripted')
      case 'waits':
        return await new Promise<void>((resolve) => setImmediate(resolve))
      case 'commands':
        await stage.workspace?.setToolEnabled('shared', false)
        return
      case 'hangs':
        return await new Promise<void>((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason))
        })
    }
  }
  const hooks = { onActivate: hook, onDeactivate: hook }
  const skill = (name: string, more: object) =>
    defineSkill({ name, description: `Skill ${name}.`, ...hooks, ...more })
  return createCatalog({
    skills: [
      skill('base', { tools: [tool('base_tool'), shared] }),
      skill('middle', { requires: ['base'], tools: [tool('middle_tool')] }),
      skill('top', { requires: ['middle'], tools: [shared, tool('top_tool')] }),
      skill('alone', { exclusive: true, tools: [tool('alone_tool')] }),
      skill('shadow', { tools: [tool('note', { version: '2.0.0' })], onConflict: 'shadow' }),
      skill('spaced', { tools: [tool('note', { version: '3.0.0' })], onConflict: 'namespace' }),
      skill('clashing', { tools: [tool('note', { version: '4.0.0' })] }),
      skill('rival', { conflicts: ['base'], tools: [tool('rival_tool')] }),
      skill('once', { lifetime: { uses: 1 }, tools: [tool('once_tool')] }),
      skill('hidden', { tools: [tool('hidden_tool')] }),
      skill('brief', { lifetime: { turns: 1 }, tools: [tool('brief_tool')] }),
      skill('idler', { lifetime: { idle: 1 }, tools: [tool('idler_tool'), listing()] }),
    ],
    components: [
      defineComponent({
        key: 'notes',
        initialState: { count: 0 },
        tools: (define) => [
          define({
            name: 'note',
            description: 'Count a note.',
            execute: (_, { update }) => update(({ count }) => ({ count: count + 1 })),
          }),
        ],
        panel: ({ count }) => ({ title: 'Notes', lines: [`${count} notes`] }),
      }),
    ],
    tools: [tool('clock'), tool('asked', { requiresConfirmation: true })],
    agents: [
      defineAgent({
        name: 'tester',
        prompt: 'Test {{ WHAT }}.',
        initialSkills: ['base'],
        skills: [
          'middle',
          'top',
          'alone',
          'shadow',
          'spaced',
          'clashing',
          'rival',
          'once',
          'brief',
          'idler',
        ],
      }),
    ],
  })
}

const skillName = fc.constantFrom(
  'base',
  'middle',
  'Top',
  'alone',
  'shadow',
  'spaced',
  'clashing',
  'rival',
  'once',
  'brief',
  'idler',
  'hidden',
  'nobody',
)
const toolName = fc.constantFrom(
  'base_tool',
  'shared',
  'note',
  'top_tool',
  'once_tool',
  'brief_tool',
  'idler_tool',
  'listing',
  'rival_tool',
  'clock',
  'asked',
  'spaced__note',
  'notes/note',
  'find',
  'disk/note',
  'hidden_tool',
  'nothing',
)

/** One thing somebody does to a workspace. */
export type Deed = (workspace: VirtualWorkspace) => Promise<unknown>

const deed: fc.Arbitrary<{ readonly does: string; readonly deed: Deed }> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.tuple(skillName, fc.boolean()).map(([name, replace]) => ({
      does: `activate ${name}${replace ? ' replacing' : ''}`,
      deed: (workspace: VirtualWorkspace) => workspace.activateSkill(name, { replace }),
    })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(skillName, fc.boolean()).map(([name, cascade]) => ({
      does: `deactivate ${name}${cascade ? ' cascading' : ''}`,
      deed: (workspace: VirtualWorkspace) => workspace.deactivateSkill(name, { cascade }),
    })),
  },
  {
    weight: 3,
    arbitrary: toolName.map((name) => ({
      does: `call ${name}`,
      deed: (workspace: VirtualWorkspace) => workspace.callTool(name, {}),
    })),
  },
  fc.tuple(toolName, fc.boolean()).map(([name, on]) => ({
    does: `switch ${name} ${on ? 'on' : 'off'}`,
    deed: (workspace: VirtualWorkspace) => workspace.setToolEnabled(name, on),
  })),
  fc.constantFrom('call' as const, 'session' as const).map((remember) => ({
    does: `approve for the ${remember}`,
    deed: async (workspace: VirtualWorkspace) => {
      const [asked] = workspace.state.confirmations
      return workspace.approve(asked?.id ?? 'nothing', { remember })
    },
  })),
  toolName.map((name) => ({
    does: `take the approval of ${name} back`,
    deed: (workspace: VirtualWorkspace) => workspace.approvals.revoke(name),
  })),
  fc.constantFrom('asked', 'clock', 'base_tool', 'find').map((name) => ({
    does: `accept ${name}`,
    deed: (workspace: VirtualWorkspace) => workspace.acceptTool(name),
  })),
  fc.constant({
    does: 'begin a turn',
    deed: (workspace: VirtualWorkspace) => workspace.beginTurn(),
  }),
  fc.constant({
    does: 'begin a step',
    deed: (workspace: VirtualWorkspace) => workspace.beginStep(),
  }),
  {
    weight: 3,
    arbitrary: fc.tuple(toolName, fc.integer({ min: 1, max: 5 })).map(([query, limit]) => ({
      does: `search ${query}`,
      deed: (workspace: VirtualWorkspace) => workspace.callTool('tool_search', { query, limit }),
    })),
  },
  fc.constantFrom('Pages were moved.', '', '## Available tools').map((summary) => ({
    does: `summarise ${summary}`,
    deed: (workspace: VirtualWorkspace) => workspace.setSummary(summary),
  })),
  fc.constant({
    does: 'compact',
    deed: (workspace: VirtualWorkspace) => workspace.compact(),
  }),
  fc.constant({
    does: 'unregister notes',
    deed: (workspace: VirtualWorkspace) => workspace.unregisterComponent('notes'),
  }),
  fc.constantFrom('1.0.0', '2.0.0').map((version) => ({
    does: `register clock ${version}`,
    deed: (workspace: VirtualWorkspace) => workspace.registerTool(tool('clock', { version })),
  })),
  {
    weight: 2,
    arbitrary: fc
      .record({
        tools: fc.uniqueArray(fc.constantFrom('find', 'move', 'clock', 'note'), { maxLength: 3 }),
        description: fc.constantFrom('Does it.', 'Does it otherwise.'),
        onConflict: fc.constantFrom('refuse' as const, 'shadow' as const, 'namespace' as const),
        trusted: fc.boolean(),
      })
      .map(({ tools, description, ...options }) => ({
        does: `list ${tools.join(', ')} of the server disk: ${description} ${JSON.stringify(options)}`,
        deed: (workspace: VirtualWorkspace) => {
          const listed = tools.map((name) => tool(name, { description }))
          return workspace.syncTools('disk', listed, options)
        },
      })),
  },
  fc.constant({
    does: 'detach disk',
    deed: (workspace: VirtualWorkspace) => workspace.detach('disk'),
  }),
  fc
    .record({
      name: fc.constantFrom('asked', 'clock'),
      description: fc.constantFrom('Does it.', 'Does it otherwise.'),
      trusted: fc.boolean(),
    })
    .map(({ name, description, trusted }) => ({
      does: `register ${name} anew, ${trusted ? 'trusted' : 'untrusted'}: ${description}`,
      deed: (workspace: VirtualWorkspace) => {
        const anew = tool(name, { description, requiresConfirmation: name === 'asked' })
        return workspace.registerTool(anew, { replace: true, trusted })
      },
    })),
)

export const deeds = fc.array(deed, { maxLength: 25 })

export const hookScript: fc.Arbitrary<HookScript> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: fc.constant('fine' as const) },
    { weight: 3, arbitrary: fc.constantFrom('throws' as const, 'waits' as const) },
    { weight: 2, arbitrary: fc.constant('commands' as const) },
    { weight: 1, arbitrary: fc.constant('hangs' as const) },
  ),
  { maxLength: 40 },
)
