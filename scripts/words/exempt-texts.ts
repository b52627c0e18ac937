/** A text of the program that keeps a retired idiom. Comments are never exempt. */
export interface ExemptText {
  readonly file: string
  /** A part of the text that no other text of the file has. */
  readonly text: string
  readonly why: string
}

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
]
