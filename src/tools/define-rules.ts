import { z } from 'zod'
import { type ContentHash, contentHash } from '../kernel/content-hash.ts'
import { WorkspaceError } from '../kernel/workspace-error.ts'

/** How the tools of one topic are to be used: told to a model once, when it finds one of them. */
export interface TopicRules {
  /** The `topic` of the tools it is for. */
  readonly topic: string
  /** Markdown. */
  readonly text: string
  readonly hash: ContentHash
  /** The file it was read from. */
  readonly path?: string
}

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
