import { Anthropic } from '@anthropic-ai/sdk'
import type { BetaMessageParam } from '@anthropic-ai/sdk/resources/beta/messages/messages'
import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import { onTestFinished } from 'vitest'
import {
  openWireServer,
  type WireServer,
  type WireServerOptions,
} from '../../../wires/server/open-wire-server.ts'
import { type Deeds, openShop } from '../openai/a-shop.ts'

/** A model that takes tools in the conversation. */
export const MODEL = { model: 'claude-opus-4-8', max_tokens: 4096 } as const

/** A client of a scripted server on loopback, which does not try again. */
export async function openModel(
  answers: WireServerOptions['answers'],
  options: Omit<WireServerOptions, 'answers'> = {},
): Promise<{ readonly client: Anthropic; readonly server: WireServer }> {
  const server = await openWireServer({ answers, ...options })
  onTestFinished(() => server.close())
  const client = new Anthropic({ apiKey: 'k', baseURL: server.url, maxRetries: 0 })
  return { server, client }
}

/** The shop in front of a model of Anthropic. */
export function openStore(
  deeds: Deeds = [],
  options: Partial<WorkspaceOptions> = {},
): Promise<VirtualWorkspace> {
  return openShop(deeds, { provider: 'anthropic', ...options })
}

export function question(content = 'I want my money back for order 7.'): BetaMessageParam {
  return { role: 'user', content }
}

/** The roles of messages, each with the types of its blocks. */
export function outline(messages: unknown): readonly string[] {
  return (messages as readonly BetaMessageParam[]).map(({ role, content = [] }) => {
    const types = typeof content === 'string' ? ['text'] : content.map(({ type }) => type)
    return `${role}: ${types.join(', ')}`
  })
}

/** The texts of results in a history, in order. */
export function results(messages: unknown): readonly unknown[] {
  return (messages as readonly BetaMessageParam[]).flatMap(({ content = [] }) =>
    (typeof content === 'string' ? [] : content).flatMap((block) =>
      block.type === 'tool_result' ? [block.content] : [],
    ),
  )
}
