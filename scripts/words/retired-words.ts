/** An idiom that this project used once and does not use any more, and what to write instead. */
export interface RetiredWord {
  readonly pattern: RegExp
  readonly instead: string
}

/**
 * Idioms as patterns, in the sense that is retired: "a whole file" and "to hold a lock" are fine.
 *
 * They are looked for in comments and in the texts of the program: help, messages, hints, screens.
 */
export const RETIRED_WORDS: readonly RetiredWord[] = [
  { pattern: /\b(?:tells?|told|telling)\b/i, instead: 'report, notify, show, say which' },
  { pattern: /\bsaid\b/i, instead: 'given, stated, named' },
  { pattern: /\banew\b/i, instead: 'again' },
  { pattern: /\bstands?\b(?! (?:for|out)\b)(?!-)/i, instead: 'is' },
  { pattern: /\bwhole(?=[.,;:)]| or not\b)/i, instead: 'complete, all of it' },
  { pattern: /\bwholly\b/i, instead: 'completely, or nothing' },
  { pattern: /\bbeside\b/i, instead: 'next to, and, besides' },
  { pattern: /\bas (?:it|they) (?:is|are|was|were)\b/i, instead: 'unchanged' },
  { pattern: /\b(?:comes?|came|coming) to\b(?! an? (?:halt|stop))/i, instead: 'is, results in' },
  { pattern: /\b(?:what|who) (?:of|looks)\b/i, instead: 'the noun that is meant' },
  { pattern: /\bwhat (?:became|becomes) of\b/i, instead: 'the outcome of' },
  { pattern: /\bwho(?:ever|soever)\b/i, instead: 'the noun that is meant' },
  { pattern: /\bseldom\b/i, instead: 'rarely' },
  { pattern: /\bh(?:olds?|eld|olding)\b [^.]{0,30}\b(?:against|to the)\b/i, instead: 'check' },
  { pattern: /\bputs? away\b|\bputting away\b/i, instead: 'deactivate' },
  { pattern: /\b(?:un)?equip(?:s|ped|ping)?\b/i, instead: 'activate' },
  {
    pattern: /\b(?:takes?|taken|taking|took) (?:it |them |him )?up\b/i,
    instead: 'resume, read, accept',
  },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, instead: 'fix, repair' },
  { pattern: /\bparted\b/i, instead: 'separate' },
  { pattern: /\bbegun\b/i, instead: 'started' },
  { pattern: /\b(?:go|goes|gone|going|went) on with\b/i, instead: 'continue, resume' },
  {
    pattern: /\blest\b|\bnought\b|\bhence\b|\bupon\b|\bamong(?:st)? them\b/i,
    instead: 'plain words',
  },
]

/** A doc comment begins with a verb or a noun, never with a clause. */
export const CLAUSE_OPENING = /^(?:What|Whether|Who|Whose|Whom|Where|How)\b/
