import { textHash, type ContentHash } from '../../kernel/content-hash.ts'
import type { TokenCounter } from '../../kernel/token-counter.ts'
import type { PromptDocument } from '../../render/prompt/document/prompt-document.ts'
import { promptLedger, type PromptLedger } from '../../render/prompt/ledger/prompt-ledger.ts'
import { writePrompt, type PromptFormat } from '../../render/prompt/forms/write-prompt.ts'

/** What the model reads at one moment, in one form. Counting is left until it is asked for. */
export class PromptView {
  readonly document: PromptDocument
  readonly format: PromptFormat
  readonly #counter: TokenCounter

  constructor(document: PromptDocument, format: PromptFormat, counter: TokenCounter) {
    this.document = document
    this.format = format
    this.#counter = counter
  }

  /** The whole: the instructions, then the conversation part. */
  get text(): string {
    return writePrompt(this.document, { format: this.format })
  }

  /** The part that stays the same while skills come and go. */
  get instructions(): string {
    return writePrompt(this.document, { format: this.format, placement: 'instructions' })
  }

  /** The part that goes to the end of the conversation when it changes. */
  get conversation(): string {
    return writePrompt(this.document, { format: this.format, placement: 'conversation' })
  }

  /** Of the text: equal hashes are equal bytes. */
  get hash(): ContentHash {
    return textHash(this.text)
  }

  /** Tokens by section, source, skill and tool, in the tokenizer of the session. */
  get ledger(): PromptLedger {
    return promptLedger(this.document, this.#counter, this.format)
  }
}
