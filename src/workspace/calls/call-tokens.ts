import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { CallTokens } from '../../engine/model/call-tokens.ts'

/** Characters of a text that are counted; the rest is taken to be like them. */
const COUNTED = 20_000

/** Characters that are counted at once: a tokenizer takes the square of a long word's time. */
const PIECE = 500

/**
 * Tokens of a call as a model writes and reads it: its arguments, and its data or its error message, as
 * JSON unless they are text.
 */
export function callTokens(
  counter: TokenCounter,
  { input, output }: { readonly input: unknown; readonly output: unknown },
): CallTokens {
  return { arguments: tokensOf(textOf(input), counter), result: tokensOf(textOf(output), counter) }
}

/** Arguments were found to be JSON before the call, results after it. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

function tokensOf(text: string, counter: TokenCounter): number {
  const end = Math.min(text.length, COUNTED)
  let tokens = 0
  for (let from = 0; from < end;) {
    const to = pieceEnd(text, from, end)
    tokens += counter.count(text.slice(from, to))
    from = to
  }
  return Math.round(tokens * (text.length / Math.max(1, end)))
}

/** Where a piece ends: before a space, which begins a token, or a pair of surrogates at the least. */
function pieceEnd(text: string, from: number, end: number): number {
  const to = from + PIECE
  if (to >= end) return end
  const space = text.lastIndexOf(' ', to)
  if (space > from) return space
  const isPair = (text.codePointAt(to - 1) ?? 0) > 0xffff
  return isPair ? to - 1 : to
}
