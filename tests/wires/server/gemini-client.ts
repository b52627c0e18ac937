/** A message of the Gemini API, loosely. */
interface Content {
  role?: string
  parts?: object[]
}

interface Answer {
  candidates?: { content?: Content; finishReason?: string }[]
}

interface Request {
  readonly model: string
  readonly contents: readonly Content[]
  readonly config?: {
    readonly systemInstruction?: string | Content
    readonly tools?: readonly object[]
    readonly toolConfig?: object
    readonly abortSignal?: AbortSignal
    readonly automaticFunctionCalling?: object
  }
}

/**
 * A client with the methods and the bytes of `@google/genai`, which is not installed here; tests/packed tries that
 * one. It does not try again.
 */
export function geminiClient(url: string) {
  const post = async ({ model, contents, config = {} }: Request, method: string) => {
    const {
      systemInstruction,
      tools,
      toolConfig,
      abortSignal,
      automaticFunctionCalling: _,
      ...rest
    } = config
    const system =
      typeof systemInstruction === 'string'
        ? { role: 'user', parts: [{ text: systemInstruction }] }
        : systemInstruction
    const response = await fetch(`${url}/v1/models/${model}:${method}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        contents,
        systemInstruction: system,
        tools,
        toolConfig,
        generationConfig: rest,
      }),
      ...(abortSignal && { signal: abortSignal }),
    })
    if (response.ok) return response
    throw Object.assign(new Error(await response.text()), { status: response.status })
  }
  return {
    models: {
      async generateContent(request: Request): Promise<Answer> {
        return (await (await post(request, 'generateContent')).json()) as Answer
      },
      async generateContentStream(request: Request): Promise<AsyncIterable<Answer>> {
        return chunksOf(await post(request, 'streamGenerateContent?alt=sse'))
      },
    },
  }
}

async function* chunksOf({ body }: Response): AsyncGenerator<Answer> {
  let text = ''
  for await (const piece of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const events = `${text}${piece}`.split('\n\n')
    text = events.pop() ?? ''
    for (const event of events) {
      const chunk = JSON.parse(event.slice('data: '.length)) as Answer & { error?: object }
      if (chunk.error) throw Object.assign(new Error(JSON.stringify(chunk)), { status: 500 })
      yield chunk
    }
  }
  if (text !== '') throw new Error('Incomplete JSON segment at the end')
}

/** Gives the messages of a history that have a text, as other wires take it, the form of this wire; in place. */
export function toContents(history: object[]): Content[] {
  for (const [index, { content: text }] of (history as { content?: unknown }[]).entries()) {
    if (typeof text === 'string') history[index] = { role: 'user', parts: [{ text }] }
  }
  return history
}
