import { parseSync } from 'oxc-parser'
import { walkTree } from '../rooms/read-module.ts'

/** A text that people read: a comment, or a string of the program. */
export interface ReadText {
  readonly kind: 'comment' | 'doc comment' | 'text'
  readonly text: string
  /** Offset into the source. */
  readonly at: number
}

/** Returns the comments of a source file and its texts of at least two words: strings, templates, text between tags. */
export function readWords(path: string, source: string): readonly ReadText[] {
  const { program, comments } = parseSync(path, source)
  const inComments = comments.map(({ value, start, type }): ReadText => {
    const isDoc = type === 'Block' && value.startsWith('*')
    const text = value.replaceAll(/^\s*\*+ ?/gm, '').trim()
    return { kind: isDoc ? 'doc comment' : 'comment', text, at: start }
  })
  const inTexts = [...walkTree(program)].flatMap(({ node }): readonly ReadText[] => {
    if (node.type === 'Literal' && typeof node.value === 'string') {
      return [{ kind: 'text', text: node.value, at: node.start }]
    }
    if (node.type === 'JSXText') return [{ kind: 'text', text: node.value, at: node.start }]
    if (node.type === 'TemplateElement') {
      return [{ kind: 'text', text: node.value.cooked ?? '', at: node.start }]
    }
    return []
  })
  return [...inComments, ...inTexts.filter(({ text }) => /[A-Za-z]{2,} [A-Za-z]{2,}/.test(text))]
}
