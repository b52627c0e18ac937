import type { ModelMessage } from 'ai'
import fc from 'fast-check'
import type { VirtualWorkspace } from 'loadout'
import { forAiSdk } from 'loadout/ai-sdk'
import { expect, test } from 'vitest'
import { openOffice } from './an-office.ts'
import { scriptedModel } from './scripted-model.ts'

/** Few ids, so that some come again, and results come late or without their calls. */
const id = fc.constantFrom('a', 'b', 'c')

const text = fc.constantFrom('One.', 'Two.', 'Three.')

const called = (toolCallId: string) => ({
  type: 'tool-call' as const,
  toolCallId,
  toolName: 'clock',
  input: {},
})

const resultOf = (toolCallId: string, value: string) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName: 'clock',
  output: { type: 'text' as const, value },
})

const message: fc.Arbitrary<ModelMessage> = fc.oneof(
  { weight: 3, arbitrary: text.map((content) => ({ role: 'user' as const, content })) },
  text.map((content) => ({ role: 'assistant' as const, content })),
  text.map((content) => ({ role: 'system' as const, content })),
  fc
    .uniqueArray(id, { minLength: 1 })
    .map((ids) => ({ role: 'assistant' as const, content: ids.map(called) })),
  {
    weight: 3,
    arbitrary: fc.tuple(fc.uniqueArray(id, { minLength: 1 }), text).map(([ids, value]) => ({
      role: 'tool' as const,
      content: ids.map((one) => resultOf(one, value)),
    })),
  },
)

const act = fc.oneof(
  { weight: 6, arbitrary: message.map((push) => ({ push })) },
  fc.record({ replace: fc.nat({ max: 20 }), by: message }),
  fc.record({ change: fc.nat({ max: 20 }), by: message }),
  fc.record({ part: fc.nat({ max: 20 }), to: text }),
  fc.record({ mark: fc.nat({ max: 20 }), to: text }),
  fc.record({ keepFrom: fc.nat({ max: 3 }) }),
  fc.record({ drop: fc.nat({ max: 3 }) }),
  fc.record({ skill: fc.constantFrom('pdf', 'bin') }),
  { weight: 2, arbitrary: message.map((answer) => ({ answer })) },
)

type Act = typeof act extends fc.Arbitrary<infer One> ? One : never

/** Returns the history after an act of the host. */
function afterAct(history: ModelMessage[], one: Act): ModelMessage[] {
  if ('push' in one) history.push(structuredClone(one.push))
  else if ('replace' in one) {
    if (one.replace < history.length) history[one.replace] = structuredClone(one.by)
  } else if ('change' in one) {
    const changed = history[one.change]
    if (changed?.role === one.by.role) Object.assign(changed, structuredClone(one.by))
  } else if ('part' in one) replacePart(history[one.part], one.to)
  else if ('mark' in one) {
    const marked = history[one.mark]
    if (marked) marked.providerOptions = { mock: { mark: one.to } }
  } else if ('keepFrom' in one) return history.slice(one.keepFrom)
  else if ('drop' in one) return history.slice(0, Math.max(0, history.length - one.drop))
  return history
}

/** Replaces the first part of a message in its list. */
function replacePart(message: ModelMessage | undefined, value: string): void {
  if (message?.role !== 'tool') return
  const [part] = message.content
  if (part?.type === 'tool-result') message.content[0] = resultOf(part.toolCallId, value)
}

/** A workspace with the settings that the AI SDK gets, used for one history. */
class Reader {
  readonly workspace: VirtualWorkspace
  readonly #prepare: (stepNumber: number, messages: ModelMessage[]) => Promise<Sent>
  #sent: ModelMessage[] = []
  #number = 0

  constructor(workspace: VirtualWorkspace, { model: [provider, modelId], ...options }: Wire) {
    this.workspace = workspace
    const model = Object.assign(scriptedModel([], provider), { modelId })
    const { prepareStep } = forAiSdk(workspace, { ...options, allowSystemInMessages: true })
    this.#prepare = async (stepNumber, messages) => {
      const given = { stepNumber, model, messages, initialInstructions: undefined }
      return (await prepareStep(given as unknown as Parameters<typeof prepareStep>[0])) as Sent
    }
  }

  async run(messages: ModelMessage[]): Promise<unknown> {
    this.#number = 0
    return this.#step(messages)
  }

  /** The next step of the run: the SDK gives it the messages of the step before, and the answer. */
  async goOn(answer: ModelMessage, copied: boolean): Promise<unknown> {
    this.#number += 1
    const given = [...this.#sent, answer]
    return this.#step(copied ? structuredClone(given) : given)
  }

  async #step(messages: ModelMessage[]): Promise<unknown> {
    const {
      messages: sent,
      instructions,
      activeTools,
    } = await this.#prepare(this.#number, messages)
    this.#sent = sent
    expect(badResults(sent)).toEqual([])
    const { cost, conversation } = this.workspace.state
    return { sent: structuredClone(sent), instructions, activeTools, cost, conversation }
  }
}

/** Returns the calls that do not have one result right after their answer, and the results without a call there. */
function badResults(messages: readonly ModelMessage[]): readonly string[] {
  const bad: string[] = []
  let open: string[] = []
  for (const message of [...messages, { role: 'user' as const, content: '' }]) {
    if (message.role === 'tool') {
      for (const part of message.content) {
        if (part.type !== 'tool-result') continue
        if (!open.includes(part.toolCallId)) bad.push(`no call of ${part.toolCallId}`)
        open = open.filter((one) => one !== part.toolCallId)
      }
      continue
    }
    bad.push(...open.map((one) => `no result of ${one}`))
    open = []
    if (message.role !== 'assistant' || typeof message.content === 'string') continue
    open = message.content.flatMap((part) => (part.type === 'tool-call' ? part.toolCallId : []))
  }
  return bad
}

interface Wire {
  readonly model: readonly [provider: string, modelId: string]
  readonly trim?: { readonly above: number; readonly keep: number }
}

const wire: fc.Arbitrary<Wire> = fc.record(
  {
    model: fc.constantFrom(
      ['anthropic.messages', 'claude-opus-4-8'] as const,
      ['openai.responses', 'gpt-5.4'] as const,
      ['mock', 'mock'] as const,
    ),
    trim: fc.constant({ above: 8, keep: 4 }),
  },
  { requiredKeys: ['model'] },
)

interface Sent {
  readonly messages: ModelMessage[]
  readonly instructions?: unknown
  readonly activeTools?: readonly string[]
}

test(
  'a history that goes on, is cut or is edited is sent as one that was never seen',
  { timeout: 300_000 },
  async () => {
    await fc.assert(
      fc.asyncProperty(wire, fc.array(act, { minLength: 1, maxLength: 30 }), async (by, acts) => {
        const provider = by.model[0] === 'anthropic.messages' ? 'anthropic' : 'openai'
        const warm = new Reader(await openOffice([], { provider }), by)
        const cold = new Reader(await openOffice([], { provider }), by)
        let history: ModelMessage[] = [{ role: 'user', content: 'Hello.' }]
        await warm.run(history)
        await cold.run(structuredClone(history))
        for (const one of acts) {
          if ('skill' in one) {
            for (const { workspace } of [warm, cold]) {
              const isActive = workspace.explainSkill(one.skill).status === 'active'
              await (isActive
                ? workspace.deactivateSkill(one.skill)
                : workspace.activateSkill(one.skill))
            }
            continue
          }
          if ('answer' in one) {
            const fresh = await cold.goOn(one.answer, true)
            expect(await warm.goOn(structuredClone(one.answer), false)).toEqual(fresh)
            continue
          }
          history = afterAct(history, one)
          const fresh = await cold.run(structuredClone(history))
          expect(await warm.run(history)).toEqual(fresh)
        }
        await Promise.all([warm.workspace.close(), cold.workspace.close()])
      }),
      { numRuns: 500 },
    )
  },
)
