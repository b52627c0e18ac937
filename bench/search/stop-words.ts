import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** wink's list, for the peers that ask for one. */
export const STOP_WORDS: ReadonlySet<string> = new Set(
  require('wink-nlp-utils/src/dictionaries/stop_words.json') as readonly string[],
)

/** wink's Porter stemmer, for the peers that ask for one. */
export const { stem } = (
  require('wink-nlp-utils') as { readonly string: { readonly stem: (word: string) => string } }
).string
