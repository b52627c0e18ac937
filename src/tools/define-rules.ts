import { z } from 'zod'
import { contentHash } from '../kernel/content-hash.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'
import type { TopicRules } from './rule.ts'

/** What an author says about the tools of a topic. */
export type RulesSpec = Omit<TopicRules, 'hash'>

const filled = z.string().refine((text) => text.trim() !== '', 'must not be empty')
const fields = z.strictObject({ topic: filled, text: filled, path: z.string().optional() })

/** Make rules for a topic, hashed over topic and text. Throws `RULES_INVALID`, which names the field. */
export function defineRules(spec: RulesSpec): TopicRules {
  const result = fields.safeParse(spec)
  if (!result.success) {
    const [issue] = result.error.issues
    const field = issue?.path.join('.') ?? ''
    const place = field === '' ? '' : `, field "${field}"`
    throw new WorkspaceError(
      'RULES_INVALID',
      `Rules for "${String(spec?.topic)}"${place}: ${issue?.message ?? 'are wrong'}.`,
      { facts: { topic: spec?.topic, field }, hint: 'Give a topic and a text in Markdown.' },
    )
  }
  const { topic, text, path } = spec
  const hash = contentHash({ topic, text })
  return Object.freeze({ topic, text, hash, ...(path !== undefined && { path }) })
}
