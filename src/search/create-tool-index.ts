import type { ToolDocument } from './tool-document.ts'
import type { DocumentKind, IndexSearchOptions, ToolIndex } from './tool-index.ts'

/** An index over these documents; of two with one kind and name the last is kept. */
export function createToolIndex(documents: Iterable<ToolDocument> = []): ToolIndex {
  const held = new Map<string, ToolDocument>()
  const add = (document: ToolDocument) => {
    held.set(`${document.kind ?? 'tool'} ${document.name}`, document)
  }
  for (const document of documents) add(document)
  return {
    get size() {
      return held.size
    },
    add,
    remove: (name: string, kind: DocumentKind = 'tool') => held.delete(`${kind} ${name}`),
    search: (query, { limit = 5, only = () => true }: IndexSearchOptions = {}) => {
      const words = query.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []
      const results = [...held.values()]
        .filter(({ name, kind = 'tool' }) => only(name, kind))
        .map(({ name, kind = 'tool', description, phrases = [] }) => {
          const text = `${name} ${description} ${phrases.join(' ')}`.toLowerCase()
          const terms = words.filter((word) => text.includes(word))
          const matched = [{ field: 'description' as const, terms }]
          return { name, kind, score: terms.length, matched }
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
        .slice(0, limit)
      const confidence = (results[0]?.score ?? 0) / Math.max(1, words.length)
      return { results, confidence, route: 'lexical' }
    },
  }
}
