import { O200K_TOKEN_SPLIT_REGEX } from 'gpt-tokenizer/encodingParams/constants'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import { bytePairCounter, type TokenVocabulary } from './byte-pair-counter.ts'

/** The longest piece, in UTF-16 code units, whose tokens are counted exactly. */
const MAX_PIECE = 256
/** Code units of the parts into which a longer piece is cut. */
const PART = 64

let loading: Promise<TokenCounter> | undefined

/** Returns the default token counter of sessions, `o200k_base`; loads it on first use. */
export function o200kCounter(): Promise<TokenCounter> {
  loading ??= import('./o200k-vocabulary.ts').then(({ o200kVocabulary }) =>
    linearCounter(() => o200kVocabulary),
  )
  return loading
}

/**
 * Counts with `o200k_base` in time linear in the text. Byte pair encoding is quadratic in the
 * length of one piece, such as a run of letters or spaces. So a piece of more than 256 code units is
 * cut into parts, and each cut adds a token: the count is then an upper bound. Marks such as
 * <|endoftext|> count as plain text, not as special tokens.
 *
 * @param load returns the vocabulary; called at the first count
 */
export function linearCounter(load: () => TokenVocabulary): Required<TokenCounter> {
  let countPiece: ((piece: string) => number) | undefined
  return {
    name: 'o200k_base',
    count(text) {
      countPiece ??= bytePairCounter(load())
      let tokens = 0
      let from = 0
      // Every character is in a piece, so each begins where the last one ends. A list of matches would take longer.
      O200K_TOKEN_SPLIT_REGEX.lastIndex = 0
      while (O200K_TOKEN_SPLIT_REGEX.test(text)) {
        const { lastIndex } = O200K_TOKEN_SPLIT_REGEX
        const piece = text.slice(from, lastIndex)
        tokens += piece.length <= MAX_PIECE ? countPiece(piece) : countParts(piece, countPiece)
        from = lastIndex
      }
      return tokens
    },
    isUpperBound: (text) =>
      text.length > MAX_PIECE &&
      text.matchAll(O200K_TOKEN_SPLIT_REGEX).some(([piece]) => piece.length > MAX_PIECE),
  }
}

function countParts(piece: string, countPiece: (piece: string) => number): number {
  let tokens = -1
  for (let from = 0; from < piece.length;) {
    const end = from + PART
    // Never inside a surrogate pair.
    const isPair = end < piece.length && (piece.codePointAt(end - 1) ?? 0) > 0xffff
    const to = isPair ? end - 1 : end
    tokens += countPiece(piece.slice(from, to)) + 1
    from = to
  }
  return tokens
}
