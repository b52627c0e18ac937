import type { VirtualWorkspace, WorkspaceOptions } from 'loadout'
import type { GeminiContent, GeminiPart } from 'loadout/gemini'
import { onTestFinished } from 'vitest'
import { geminiClient } from '../../../wires/server/gemini-client.ts'
import { openWireServer, type WireServerOptions } from '../../../wires/server/open-wire-server.ts'
import { type Deeds, openShop } from '../openai/a-shop.ts'

export const MODEL = 'gemini-3.8-flash'

/** A client of a scripted server on loopback. */
export async function openModel(answers: WireServerOptions['answers']) {
  const server = await openWireServer({ answers })
  onTestFinished(() => server.close())
  return { server, client: geminiClient(server.url) }
}

/** The shop in front of a model of Google. */
export function openStore(
  deeds: Deeds = [],
  options: Partial<WorkspaceOptions> = {},
): Promise<VirtualWorkspace> {
  return openShop(deeds, { provider: 'google', ...options })
}

export function question(text = 'I want my money back for order 7.'): GeminiContent {
  return { role: 'user', parts: [{ text }] }
}

/** The contents of a body. */
export function contentsOf(body: unknown): readonly GeminiContent[] {
  return (body as { readonly contents: readonly GeminiContent[] }).contents
}

/** The roles of contents, each with what its parts are. */
export function outline(contents: readonly GeminiContent[]): readonly string[] {
  return contents.map(({ role, parts = [] }) => `${role}: ${parts.map(kindOf).join(', ')}`)
}

function kindOf({ text, thought, functionCall, functionResponse }: GeminiPart): string {
  if (functionCall) return `call ${functionCall.name}`
  if (functionResponse) return `result of ${functionResponse.name}`
  return thought === true ? 'thought' : (text ?? 'data')
}

/** The responses of results, in order. */
export function results(contents: readonly GeminiContent[]): readonly unknown[] {
  return contents.flatMap(({ parts = [] }) =>
    parts.flatMap(({ functionResponse }) => functionResponse?.response ?? []),
  )
}
