import { type Conversation, conversation } from '../../../entries/adapter.ts'
import type { VirtualWorkspace } from '../../../entries/index.ts'
import { GEMINI_CONTENTS } from './gemini-contents.ts'
import type { GeminiOptions, GeminiWire } from './gemini-wire.ts'

/** A workspace in the form of the Gemini API. */
export type GeminiConversation = Conversation<GeminiWire>

/**
 * Connects a workspace to the Gemini API. Make one object for each workspace and use it as long as the workspace is
 * open. Nothing of the SDK is loaded.
 *
 *     const response = await client.models.generateContent({ model, ...(await gemini.next(contents)) })
 *     const { items, status } = await gemini.answer(response)
 */
export function forGemini(
  workspace: VirtualWorkspace,
  options: GeminiOptions = {},
): GeminiConversation {
  return conversation(workspace, { provider: 'gemini', form: GEMINI_CONTENTS, options })
}
