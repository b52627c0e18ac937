import { createAnthropic } from '@ai-sdk/anthropic'
import { createOpenAI } from '@ai-sdk/openai'
import {
  convertToModelMessages,
  isStepCount,
  isToolUIPart,
  readUIMessageStream,
  ToolLoopAgent,
  type ToolSet,
  toUIMessageStream,
  type UIMessage,
} from 'ai'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { compareBodies } from '../../../wires/compare/compare-bodies.ts'
import type { Answer } from '../../../wires/server/answer.ts'
import { openWireServer } from '../../../wires/server/open-wire-server.ts'
import { openOffice } from './an-office.ts'

const load = (skillName: string) => [{ name: 'loadSkill', input: { skillName } }]

const yes = { text: 'Yes.' }

/** What the model says in each turn of the user. */
const TURNS: readonly (readonly Answer[])[] = [
  [load('pdf'), yes],
  // A tool that is not active, and arguments that are not valid.
  [[{ name: 'shred', input: { file: 'a' } }], [{ name: 'readPdf', input: {} }], yes],
  [load('bin'), yes],
  // A person is asked, and says no.
  [[{ name: 'shred', input: { file: 'a' } }], yes],
  [yes],
]

const WIRES = [
  { id: 'gpt-5.4', provider: 'openai', wire: 'openai-responses' },
  { id: 'claude-opus-4-8', provider: 'anthropic', wire: 'anthropic-beta' },
  { id: 'claude-sonnet-4-5', provider: 'anthropic', wire: 'anthropic-beta' },
] as const

/** The settings of a turn: of the workspace itself, or of one agent for many. */
const SETTINGS: Readonly<Record<string, (workspace: VirtualWorkspace) => AgentSettings>> = {
  'a workspace': (workspace) => forAiSdk(workspace) as AgentSettings,
  'one agent for many users': (workspace) =>
    forAiSdk({ open: () => workspace }) as unknown as AgentSettings,
}

type AgentSettings = { readonly tools: ToolSet }

test.each(WIRES.flatMap((one) => Object.keys(SETTINGS).map((of) => ({ ...one, of }))))(
  'with $id, a host that stores messages of a UI and makes the settings of $of in each turn keeps the prefix',
  async ({ id, provider, wire, of }) => {
    const server = await openWireServer({ answers: TURNS.flat() })
    const baseURL = `${server.url}/v1`
    const model =
      provider === 'openai'
        ? createOpenAI({ apiKey: 'k', baseURL }).responses(id)
        : createAnthropic({ apiKey: 'k', baseURL })(id)
    const workspace = await openOffice([], { provider })
    let stored: UIMessage[] = []
    const run = async () => {
      const settings = (SETTINGS[of] as (typeof SETTINGS)[string])(workspace)
      const agent = new ToolLoopAgent({
        model,
        ...settings,
        stopWhen: isStepCount(9),
        ...(provider === 'openai' && { providerOptions: { openai: { store: false } } }),
      })
      const messages = await convertToModelMessages(stored, { tools: settings.tools })
      const { stream } = await agent.stream({ messages })
      const last = stored.at(-1)
      const message = last?.role === 'assistant' ? last : undefined
      const versions: UIMessage[] = []
      const chunks = toUIMessageStream({ stream })
      for await (const one of readUIMessageStream({
        stream: chunks,
        ...(message && { message }),
      }))
        versions.push(one)
      if (message) stored.pop()
      stored.push(...versions.slice(-1))
      stored = JSON.parse(JSON.stringify(stored)) as UIMessage[]
    }
    for (const turn of TURNS.keys()) {
      stored.push({ id: `${turn}`, role: 'user', parts: [{ type: 'text', text: 'yes' }] })
      await run()
      const asked = stored.at(-1)?.parts.filter(isToolUIPart) ?? []
      const open = asked.filter(({ state }) => state === 'approval-requested')
      for (const part of open) {
        const approval = { ...part.approval, approved: false, reason: 'Not that one.' }
        Object.assign(part, { state: 'approval-responded', approval })
      }
      if (open.length > 0) await run()
    }
    await server.close()
    expect(server.violations).toEqual([])
    const bodies = server.requests.map(({ body }) => body)
    expect(bodies).toHaveLength(TURNS.flat().length)
    const changes = bodies
      .slice(1)
      .map((body, index) => compareBodies(wire, bodies[index] ?? {}, body).changed)
    expect(changes).toEqual(changes.map(() => null))
  },
)
