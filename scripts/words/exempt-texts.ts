/** A text of the program that keeps a retired idiom. Comments are never exempt. */
export interface ExemptText {
  readonly file: string
  /** A part of the text that no other text of the file has. */
  readonly text: string
  readonly why: string
}

const PROMPT = 'The model reads it: a prompt has the same bytes in every version.'
const MANIFEST = 'The losses of a manifest have it, and the digest of the manifest covers it.'
const STOP_WORDS = 'Words that a search does not count.'

/** Texts that must stay byte for byte: the model reads them, a hash covers them, or a bench measures them. */
export const EXEMPT_TEXTS: readonly ExemptText[] = [
  {
    file: 'bench/generate-skills.ts',
    text: 'show what tells them apart',
    why: 'Instructions of the skills that benches load: their length is part of the figures.',
  },
  {
    file: 'bench/generate-skills.ts',
    text: 'tell what it says and try once more',
    why: 'Instructions of the skills that benches load: their length is part of the figures.',
  },
  {
    file: 'bench/search/absent-requests.ts',
    text: 'tell me a fairy tale about a dragon',
    why: 'Requests of people, which a bench searches for.',
  },
  {
    file: 'src/engine/decide/decide-activation.ts',
    text: 'exclusive beside ',
    why: 'The name of a rule, which entries of logs have.',
  },
  {
    file: 'src/render/prompt/sections/loading-section.ts',
    text: 'tells all about one of them',
    why: PROMPT,
  },
  {
    file: 'src/render/prompt/sections/memory-section.ts',
    text: 'Results that were told before still hold',
    why: PROMPT,
  },
  {
    file: 'src/render/prompt/sections/memory-section.ts',
    text: 'Ended, too, and not told',
    why: PROMPT,
  },
  {
    file: 'src/search/words/is-weak-term.ts',
    text: 'able additionally assist',
    why: STOP_WORDS,
  },
  {
    file: 'src/search/words/is-weak-term.ts',
    text: 'absolutely accurate accurately',
    why: STOP_WORDS,
  },
  {
    file: 'src/schema/provider-forms/describe-keywords.ts',
    text: 'the places of a list are not told apart',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/gemini-schema.ts',
    text: '"anyOf" is told beside it',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/gemini-schema.ts',
    text: 'the bound itself is told as allowed',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/schema-loss.ts',
    text: 'is left out, so the model is not told',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/schema-loss.ts',
    text: 'is told in the description only',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/schema-loss.ts',
    text: 'is told more loosely than it is meant',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/schema-loss.ts',
    text: 'is told more narrowly than it is meant',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/strict-schema.ts',
    text: 'nothing may stand beside "$ref"',
    why: MANIFEST,
  },
  {
    file: 'src/schema/provider-forms/strict-schema.ts',
    text: 'stands beside it',
    why: MANIFEST,
  },
  {
    file: 'src/workspace/offer/meta-tools/run-skill-script-meta-tool.ts',
    text: 'Handed to the script as they are',
    why: 'The definition of a meta-tool has it, and its hash covers it.',
  },
]
