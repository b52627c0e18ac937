/** The forms a tool's arguments are told in; `gemini` is its native `Schema`, with types in capitals. */
export const PROVIDERS = ['openai', 'openai-strict', 'gemini', 'anthropic', 'mcp'] as const

export type Provider = (typeof PROVIDERS)[number]
