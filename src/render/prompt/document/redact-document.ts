import type { Redactor } from '../../../kernel/redactor.ts'
import type {
  Fact,
  PromptBlock,
  PromptDocument,
  PromptItem,
  PromptSection,
} from './prompt-document.ts'

type Kept = WeakMap<object, object>

/** What was made of documents and sections, so that what stays the same is the same object. */
const kept = new WeakMap<Redactor, Kept>()

/** A document without secrets. Ids, and the names that a model calls things by, stay. */
export function redactDocument(document: PromptDocument, redactor: Redactor): PromptDocument {
  return memoised(redactor, document, () => ({
    ...document,
    sections: document.sections.map((section) => redactSection(section, redactor)),
  }))
}

function redactSection(section: PromptSection, redactor: Redactor): PromptSection {
  return memoised(redactor, section, () => ({
    ...section,
    title: redactor.text(section.title),
    blocks: section.blocks.map((block) => redactBlock(block, redactor)),
    children: section.children.map((child) => redactSection(child, redactor)),
  }))
}

function redactBlock(block: PromptBlock, redactor: Redactor): PromptBlock {
  switch (block.kind) {
    case 'prose':
    case 'body':
      return { ...block, text: redactor.text(block.text) }
    case 'facts':
      return { ...block, facts: redactFacts(block.facts, redactor) }
    case 'items':
      return { ...block, items: block.items.map((item) => redactItem(item, redactor)) }
  }
}

function redactItem(item: PromptItem, redactor: Redactor): PromptItem {
  const summary = redactor.text(item.summary)
  return { ...item, summary, facts: redactFacts(item.facts, redactor) }
}

function redactFacts(facts: readonly Fact[], redactor: Redactor): readonly Fact[] {
  return facts.map(({ label, value }) => ({ label, value: redactor.text(value) }))
}

function memoised<T extends object>(redactor: Redactor, of: T, make: () => T): T {
  const known = kept.get(redactor) ?? new WeakMap<object, object>()
  kept.set(redactor, known)
  const made = (known.get(of) as T | undefined) ?? make()
  known.set(of, made)
  return made
}
