import type { GeminiClient, GeminiPart } from 'loadout/gemini'

/** The answers of the model, in order: a call of a tool, or a text. */
const SCRIPT: readonly GeminiPart[] = [
  { functionCall: { name: 'loadSkill', args: { skillName: 'refunds' } } },
  { functionCall: { name: 'findOrder', args: { order: '7' } } },
  { functionCall: { name: 'refund', args: { order: '7' } } },
  { text: 'Order 7 was paid back.' },
]

/** Opens a client in the place of `GoogleGenAI`, which prints the tools and the new parts of each request. */
export function openScriptedClient(): GeminiClient {
  let at = 0
  let seen = 0
  const generateContent: GeminiClient['models']['generateContent'] = async (request) => {
    const { contents, config } = request
    const names = config.tools?.flatMap(({ functionDeclarations: all = [] }) =>
      all.map(({ name }) => name),
    )
    const parts = contents.slice(seen).flatMap((content) => content.parts ?? [])
    const news = parts.map((part) => Object.keys(part).join(' ')).join(', ')
    console.log(`tools: ${names?.join(', ')}; new parts: ${news}`)
    seen = contents.length
    const part = SCRIPT[at] ?? { text: 'I have nothing more to say.' }
    at += 1
    const content = { role: 'model', parts: [part] }
    return { candidates: [{ content, finishReason: 'STOP' }], text: part.text }
  }
  return {
    models: {
      generateContent,
      async generateContentStream(request) {
        const answer = await generateContent(request)
        return (async function* () {
          yield answer
        })()
      },
    },
  }
}
