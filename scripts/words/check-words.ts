import { EXEMPT_TEXTS, type ExemptText } from './exempt-texts.ts'
import { readWords, type ReadText } from './read-words.ts'
import { CLAUSE_OPENING, RETIRED_WORDS } from './retired-words.ts'

/** One place where a text for people is not in plain English. */
export interface WordFinding {
  readonly file: string
  /** 1-based. */
  readonly line: number
  readonly rule: 'retired-idiom' | 'clause-opening' | 'needless-exemption'
  readonly message: string
}

interface WordReport {
  readonly words: number
  readonly docComments: number
  readonly findings: readonly WordFinding[]
}

/**
 * Finds retired idioms in the comments and texts of a file, doc comments that begin with a clause, and
 * exemptions that no text needs.
 */
export function checkWords(
  file: string,
  source: string,
  exemptions: readonly ExemptText[] = EXEMPT_TEXTS,
): WordReport {
  const own = exemptions.filter((one) => one.file === file)
  const all = readWords(file, source)
  const texts = all.filter((one) => !own.some((exempt) => isExempt(one, exempt)))
  const needless = own.filter((exempt) => !all.some((one) => isExempt(one, exempt)))
  const docComments = texts.filter(({ kind }) => kind === 'doc comment')
  const idioms = texts.flatMap(({ kind, text, at }) =>
    RETIRED_WORDS.flatMap(({ pattern, instead }) =>
      [...text.matchAll(new RegExp(pattern, 'gi'))].map(([found]) => ({
        file,
        line: lineAt(source, at),
        rule: 'retired-idiom' as const,
        message: `${kind}: "${found}" is retired. Write: ${instead}.`,
      })),
    ),
  )
  const clauses = docComments
    .filter(({ text }) => CLAUSE_OPENING.test(text))
    .map(({ text, at }) => ({
      file,
      line: lineAt(source, at),
      rule: 'clause-opening' as const,
      message: `doc comment begins with "${text.split(/\s/)[0]}".`,
    }))
  return {
    words: texts.reduce((sum, { text }) => sum + text.split(/\s+/).length, 0),
    docComments: docComments.length,
    findings: [
      ...idioms,
      ...clauses,
      ...needless.map(({ text }) => ({
        file,
        line: 1,
        rule: 'needless-exemption' as const,
        message: `no text has "${text}". Remove it from scripts/words/exempt-texts.ts.`,
      })),
    ],
  }
}

function isExempt({ kind, text }: ReadText, exempt: ExemptText): boolean {
  return kind === 'text' && text.includes(exempt.text)
}

function lineAt(source: string, offset: number): number {
  return source.slice(0, offset).split('\n').length
}
