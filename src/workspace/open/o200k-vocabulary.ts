import vocabulary from 'gpt-tokenizer/bpeRanks/o200k_base'
import type { TokenVocabulary } from './byte-pair-counter.ts'

/**
 * The vocabulary of `o200k_base`. The package brings this file and not the tokenizer that it is from, which has the
 * vocabularies of all models.
 */
export const o200kVocabulary: TokenVocabulary = vocabulary
