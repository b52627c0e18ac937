import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { defineRules } from '../../tools/define-rules.ts'
import type { TopicRules } from '../../tools/rule.ts'
import type { DefinitionText } from './definition-text.ts'
import { FieldReader } from './field-reader.ts'
import { Findings } from './findings.ts'
import { parseFrontMatter } from './parse-front-matter.ts'
import { splitFrontMatter } from './split-front-matter.ts'

/** The rules of a topic; null when an error keeps them from loading. */
interface ParsedRulesFile {
  readonly rules: TopicRules | null
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Read the rules of a topic: Markdown as it stands. The topic is the name of the file without its
 * ending, or that of a `topic` field when the file has front matter.
 */
export function parseRulesFile({ text, file }: DefinitionText, named: string): ParsedRulesFile {
  const findings = new Findings(file)
  const split = splitFrontMatter(text)
  const plain = !split.ok && split.reason === 'missing'
  const parsed = plain
    ? { fields: new Map(), body: text.startsWith('\uFEFF') ? text.slice(1) : text }
    : parseFrontMatter(text, findings)
  if (parsed === null) return { rules: null, diagnostics: findings.list }
  const reader = new FieldReader(parsed.fields, findings)
  const topic = reader.text('topic') ?? named
  reader.reportUnknown(['topic'])
  const body = parsed.body.trim()
  if (body === '') {
    findings.add(
      'error',
      'rules-empty',
      `The rules of the topic "${topic}" have no text.`,
      'Write in Markdown how the tools of the topic are to be used, or remove the file.',
      { line: 1, column: 1 },
    )
    return { rules: null, diagnostics: findings.list }
  }
  return { rules: defineRules({ topic, text: body, path: file }), diagnostics: findings.list }
}
