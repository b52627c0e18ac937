import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { TopicRules } from '../../tools/rule.ts'
import { byName } from '../../kernel/by-name.ts'

/** Rules, one a topic, and those that had to give way to earlier ones of their topic. */
export interface GatheredRules {
  /** In the order of topics. */
  readonly unique: Map<string, TopicRules>
  readonly diagnostics: readonly Diagnostic[]
}

/** Keep the first rules of each topic, as with all definitions; the same ones twice are no clash. */
export function gatherRules(given: readonly TopicRules[]): GatheredRules {
  const unique = new Map<string, TopicRules>()
  const diagnostics: Diagnostic[] = []
  for (const rules of given.toSorted((a, b) => byName(a.topic, b.topic))) {
    const first = unique.get(rules.topic)
    if (first === undefined) unique.set(rules.topic, rules)
    else if (first.hash !== rules.hash) diagnostics.push(clash(first, rules))
  }
  return { unique, diagnostics }
}

function clash(first: TopicRules, { topic, path }: TopicRules): Diagnostic {
  return {
    code: 'duplicate-rules',
    severity: 'warning',
    message: `There are two sets of rules for the topic "${topic}": those ${originOf(first)} are used, those ${originOf({ path })} are not.`,
    hint: 'Put both into one text, or remove the one that is not used.',
    ...(path !== undefined && { file: path }),
  }
}

function originOf({ path }: { readonly path?: string | undefined }): string {
  return path === undefined ? 'given in code' : `from ${path}`
}
