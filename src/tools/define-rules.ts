import * as z from 'zod'
import { type ContentHash, contentHash } from '../kernel/content-hash.ts'
import { checkFields, checkParsed, type FieldRules } from '../kernel/check-fields.ts'

/** Rules for the tools of one topic. A model reads them once, when it finds one of the tools. */
export interface TopicRules {
  /** The `topic` of the tools. */
  readonly topic: string
  /** Markdown. */
  readonly text: string
  readonly hash: ContentHash
  /** The file they were read from. */
  readonly path?: string
}

/** The definition of rules for a topic. */
export type RulesSpec = Omit<TopicRules, 'hash'>

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')

const rulesSchema = z.object({ topic: filled, text: filled, path: z.string().optional() })

const RULES: FieldRules = {
  kind: 'rules',
  subject: 'Rules for',
  code: 'RULES_INVALID',
  name: { field: 'topic', fact: 'topic' },
  fields: Object.keys(rulesSchema.shape),
  synonyms: { name: 'topic', rules: 'text', instructions: 'text', content: 'text' },
  hint: 'Give a topic and a text in Markdown.',
}

/** Defines the rules of a topic, hashed with topic and text. Throws `RULES_INVALID`, which names the field. */
export function defineRules(spec: RulesSpec): TopicRules {
  checkFields(spec, RULES)
  checkParsed(spec, rulesSchema.safeParse(spec), RULES)
  const { topic, text, path } = spec
  const hash = contentHash({ topic, text })
  return Object.freeze({ topic, text, hash, ...(path !== undefined && { path }) })
}
