import type { TokenCounter } from '../../kernel/token-counter.ts'
import { identityMemo } from '../../kernel/identity-memo.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { promptLedger, type PromptLedger } from '../../render/prompt/ledger/prompt-ledger.ts'
import type { PlaygroundContext } from '../context/playground-context.ts'

/** What the model reads at the moment shown, with what it costs. */
export interface PricedPrompt {
  readonly document: PromptDocument
  readonly ledger: PromptLedger
}

const kept = identityMemo<PricedPrompt>()

/** The same object as long as the prompt is the same. */
export function pricedPrompt(context: PlaygroundContext): PricedPrompt {
  const { document } = context.reader().prompt()
  return pricedDocument(document, context.counter)
}

function pricedDocument(document: PromptDocument, counter: TokenCounter): PricedPrompt {
  return kept([counter, document], '', () => ({
    document,
    ledger: promptLedger(document, counter),
  }))
}
