import type {
  ConversationOptions,
  ProviderTools,
  RunOptions,
  WireTypes,
} from '../../../entries/adapter.ts'

/** A message of a conversation: the members of a `Content` of `@google/genai` that are read here. */
export interface GeminiContent {
  role?: string
  parts?: GeminiPart[]
}

/** A part of a message. Members that are not listed here are kept. */
export interface GeminiPart {
  text?: string
  /** True for a part of the model's thoughts. */
  thought?: boolean
  /** Goes back to the provider on the part that has it. */
  thoughtSignature?: string
  functionCall?: { id?: string; name?: string; args?: Record<string, unknown> }
  functionResponse?: {
    id?: string
    name?: string
    response?: Record<string, unknown>
    parts?: { inlineData?: { mimeType?: string; data?: string } }[]
  }
}

/** An answer of the model. */
export interface GeminiResponse {
  candidates?: { content?: GeminiContent; finishReason?: string }[]
  promptFeedback?: { blockReason?: string }
  modelVersion?: string
  usageMetadata?: {
    promptTokenCount?: number
    cachedContentTokenCount?: number
    candidatesTokenCount?: number
    thoughtsTokenCount?: number
  }
  /** The text of the answer, as the client of Google gives it. */
  readonly text?: string | undefined
}

/** The parts of a `GoogleGenAI` client that a run uses. */
export interface GeminiClient {
  readonly models: {
    generateContent(request: GeminiRequest & { model: string }): Promise<GeminiResponse>
    generateContentStream(
      request: GeminiRequest & { model: string },
    ): Promise<AsyncIterable<GeminiResponse>>
  }
}

/** Options of `forGemini`. All are optional. */
export interface GeminiOptions extends ConversationOptions {
  /** The model of the requests. */
  readonly model?: string
  /**
   * The `config` of your requests. Its members are kept: the workspace adds to its `systemInstruction` and `tools`, and
   * switches automatic function calling off.
   */
  readonly config?: object
}

/** The parts of a request that come from the workspace. */
export interface GeminiRequest {
  model?: string
  contents: GeminiContent[]
  /** With the members of your own. */
  config: {
    systemInstruction?: string | GeminiContent
    tools?: { functionDeclarations?: ProviderTools['gemini-json'][] }[]
    /** The client would otherwise run functions without asking the workspace. */
    automaticFunctionCalling: { disable: true }
    abortSignal?: AbortSignal
  }
}

/** Options of `run`. */
export interface GeminiRunOptions extends RunOptions {
  /** That of the options of `forGemini` when absent. */
  readonly model?: string
  /** Your history. Everything is appended to it as it happens, so that it is complete after an error, too. */
  readonly contents: GeminiContent[]
  /** Gets the chunks of each answer, which is then streamed. */
  readonly onChunk?: (chunk: GeminiResponse) => void
}

/** The types of the Gemini API. */
export interface GeminiWire extends WireTypes {
  item: GeminiContent
  request: GeminiRequest
  answer: GeminiResponse
  tool: ProviderTools['gemini-json']
  options: GeminiOptions
  kept: undefined
  client: GeminiClient
  run: GeminiRunOptions
}
