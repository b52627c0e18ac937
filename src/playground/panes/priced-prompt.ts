import { identityMemo } from '../../kernel/identity-memo.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { promptLedger, type PromptLedger } from '../../render/prompt/ledger/prompt-ledger.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

/** A prompt with its tokens. */
export interface PricedPrompt {
  readonly document: PromptDocument
  readonly ledger: PromptLedger
}

const priceCache = identityMemo<PricedPrompt>()

/** Prices the prompt at the moment shown. Returns the same object while the prompt is the same. */
export function pricedPrompt(context: PlaygroundContext): PricedPrompt {
  const { counter } = context
  const { document } = context.reader().prompt()
  return priceCache([counter, document], '', () => ({
    document,
    ledger: promptLedger(document, counter),
  }))
}
