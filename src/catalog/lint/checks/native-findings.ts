import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { checkBudgets } from './check-budgets.ts'
import { checkConfused } from './check-confused.ts'
import { checkDescription } from './check-description.ts'
import { checkHidden } from './check-hidden.ts'
import { checkLinks } from './check-links.ts'
import { checkPatterns, patternsOf } from './check-patterns.ts'
import { checkPermissions } from './check-permissions.ts'
import { checkRules } from './check-rules.ts'
import { checkSharedNames } from './check-shared-names.ts'
import { checkTool } from './check-tool.ts'
import type { LintInput, NativeInput } from './lint-input.ts'
import { lintSkill } from './lint-skill.ts'

/** Everything that lint itself finds beside the specification and clients. */
export function nativeFindings(
  { catalog, items, skills }: LintInput,
  { tools, texts, permissions, confused, counter }: NativeInput,
): readonly Diagnostic[] {
  const names = new Set([...catalog.toolsByHash.values()].map(({ name }) => name))
  const topics = new Set(
    [...catalog.toolsByHash.values()].flatMap(({ topic }) => (topic === undefined ? [] : [topic])),
  )
  const surroundings = { tools: names, topics: new Set(catalog.rules.keys()), counter }
  const files = new Map([
    ...tools.map(({ tool, file }) => [JSON.stringify(['tool', tool.name]), file] as const),
    ...items.map(({ kind, name, path }) => [JSON.stringify([kind, name]), path] as const),
  ])
  // A search calls a tool by its owner's name, too, where another one has its own.
  const fileOf = ({ kind, name }: { readonly kind: string; readonly name: string }) =>
    files.get(JSON.stringify([kind, name.split('/').at(-1)]))
  return [
    ...skills
      .map(lintSkill)
      .flatMap((skill) => [
        ...checkLinks(skill),
        ...checkBudgets(skill, counter),
        ...checkDescription(skill),
        ...checkPermissions(skill, names),
      ]),
    ...[...texts].flatMap(([file, text]) => checkHidden(file, text)),
    ...tools.flatMap(({ tool, file }) => checkTool(tool, file, surroundings)),
    ...checkSharedNames(catalog),
    ...checkRules(catalog, topics),
    ...[...[...catalog.agents.values()].flatMap(patternsOf), ...permissions].flatMap((list) =>
      checkPatterns(list, names),
    ),
    ...checkConfused(confused, fileOf),
  ]
}
