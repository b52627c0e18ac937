import type { Catalog } from '../../create/catalog.ts'
import type { PatternList } from './lint-input.ts'
import { fieldPlace, type LintSkill } from './lint-skill.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { didYouMean, nearestNames } from '../../../kernel/nearest-names.ts'
import { mayHaveMember } from '../../../schema/interpreter/unknown-arguments.ts'
import type { Agent } from '../../../skills/definition/define-agent.ts'
import {
  entryAgainst,
  entryPattern,
  isClientTool,
  toolOfClient,
} from '../../../skills/tool-of-client.ts'
import { Findings } from '../../../skills/parse/findings.ts'
import { clientName, matchesTool } from '../../../tools/definition/matches-tool.ts'

/** Returns the lists of patterns of an agent. */
export function listPatterns(agent: Agent): readonly PatternList[] {
  const { name, tools = [], pinned = [], disallowedTools = [], path } = agent
  const from = { owner: `The agent "${name}"`, ...(path !== undefined && { file: path }) }
  return [
    { ...from, field: 'tools', patterns: tools, taken: disallowedTools },
    { ...from, field: 'pinned', patterns: pinned },
    { ...from, field: 'disallowedTools', patterns: disallowedTools, takesAway: true },
  ]
}

/** Returns the list of the patterns that a skill takes away. */
export function takenPatterns({ file, skill }: Pick<LintSkill, 'file' | 'skill'>): PatternList {
  const { name = '', disallowedTools: patterns = [] } = skill ?? {}
  return {
    owner: `The skill "${name}"`,
    field: 'disallowed-tools',
    patterns,
    takesAway: true,
    file,
  }
}

/**
 * Returns a function that says whether a pattern names a tool of a catalog. A pattern with the name of a server whose
 * tools are not listed may name one of them.
 */
export function namesTool({
  toolsByHash,
  servers = new Map<string, never>(),
}: Pick<Catalog, 'toolsByHash' | 'servers'>): (pattern: string, takesAway?: boolean) => boolean {
  const ofServers = [...servers.values()].flatMap(({ name, listing }) =>
    (listing?.tools ?? []).map((tool) => ({ tool, owner: { source: 'server', owner: name } })),
  )
  const others = [...toolsByHash.values()].map((tool) => ({ tool, owner: undefined }))
  const all = [...others, ...ofServers]
  const names = new Set(all.map(({ tool }) => tool.name))
  const plain = (text: string) => text.replaceAll(/[.-]/gu, '_')
  const starts = [...servers.values()]
    .filter(({ listing }) => listing === undefined)
    .flatMap(({ name }) => [plain(`${name}_`), clientName({ definedAs: '' }, name)])
  return (given, takesAway = false) => {
    const pattern = takesAway ? entryPattern(given) : given
    const isGlob = pattern.includes('*')
    if (names.has(pattern)) return true
    const [literal = ''] = plain(pattern).split('*', 1)
    if (
      starts.some((one) => `${literal}__`.startsWith(one) || (isGlob && one.startsWith(literal)))
    ) {
      return true
    }
    if (!isGlob && !takesAway && !pattern.startsWith('mcp__')) return false
    return all.some(({ tool, owner }) => {
      const named = { ...tool, definedAs: tool.name }
      if (takesAway) return entryAgainst([pattern], named, owner) !== undefined
      return matchesTool(pattern, named, owner)
    })
  }
}

/**
 * Checks for patterns without the intended effect: those that match no tool, and those whose tools the same definition
 * takes away. If there are no tools at all, a program adds them later.
 */
export function checkPatterns(
  { owner, field, patterns, taken = [], takesAway = false, file }: PatternList,
  isNamed: (pattern: string, takesAway?: boolean) => boolean,
): readonly Diagnostic[] {
  const at = file === undefined ? {} : { file }
  return patterns.flatMap((pattern): readonly Diagnostic[] => {
    const what = `${owner} has the pattern "${pattern}" in ${field}`
    if (!isNamed(pattern, takesAway)) {
      const name = entryPattern(pattern)
      const isOfClient = takesAway && (isClientTool(name) || name.startsWith('mcp__'))
      const severity = isOfClient ? 'info' : 'warning'
      const message = `${what}, which matches no tool.`
      const hint = 'Correct or remove it; * matches any text.'
      return [{ code: 'pattern-unmatched', severity, message, hint, ...at }]
    }
    const name = entryPattern(pattern)
    const entry = entryAgainst(taken, { name, definedAs: name })
    if (entry === undefined) return []
    const message = `${what}, and takes its tools away again by "${entry}".`
    const hint = 'Remove one of the two: what is taken away stays away.'
    return [{ code: 'allow-useless', severity: 'warning', message, hint, ...at }]
  })
}

/** Checks for rules about arguments that no schema of their tools has. Such a rule of `deny` or `ask` holds nothing up. */
export function checkArguments(
  { owner, field, paths = [], file }: PatternList,
  { toolsByHash }: Pick<Catalog, 'toolsByHash'>,
): readonly Diagnostic[] {
  return paths.flatMap(({ tool: pattern, path }) => {
    const tools = [...toolsByHash.values()].filter((tool) =>
      matchesTool(pattern, { ...tool, definedAs: tool.name }, undefined),
    )
    if (tools.length === 0 || tools.some((tool) => mayHaveMember(tool.inputSchema, path))) return []
    const names = tools.flatMap(({ inputSchema: { properties } }) => Object.keys(properties ?? {}))
    const hint = didYouMean(nearestNames(path, names, 2), 'Correct it, or remove the rule.')
    return [
      {
        code: 'argument-unmatched',
        severity: 'warning' as const,
        message: `${owner} has a rule about the argument "${path}" in ${field}, and no tool that "${pattern}" matches has it.`,
        hint,
        ...(file !== undefined && { file }),
      },
    ]
  })
}

/** Checks for patterns of `allowed-tools` that match no tool. They have no effect. */
export function checkPermissions(
  skill: LintSkill,
  tools: ReadonlySet<string>,
  isNamed: (pattern: string) => boolean,
): readonly Diagnostic[] {
  const findings = new Findings(skill.file)
  const place = fieldPlace(skill, 'allowed-tools')
  const unmatched = (skill.skill?.permissions ?? [])
    .map((permission) => ({ pattern: entryPattern(permission), permission }))
    .filter(({ pattern }) => !isNamed(pattern) && !tools.has(toolOfClient(pattern)))
  for (const permission of skill.skill?.permissions ?? []) {
    const name = entryPattern(permission)
    const entry = entryAgainst(skill.skill?.disallowedTools ?? [], { name, definedAs: name })
    if (entry === undefined) continue
    const message = `allowed-tools asks for "${permission.slice(0, 100)}", which disallowed-tools takes away by "${entry.slice(0, 100)}".`
    const hint = 'Remove one of the two: what is taken away stays away.'
    findings.add('warning', 'allow-useless', message, hint, place)
  }
  const { known = [], unknown = [] } = Object.groupBy(unmatched, ({ pattern }) =>
    isClientTool(pattern) || pattern.startsWith('mcp__') ? 'known' : 'unknown',
  )
  if (known.length > 0) {
    const shown = [...new Set(known.map(({ pattern }) => pattern))].join(', ').slice(0, 300)
    findings.add(
      'info',
      'allowed-tools-unmatched',
      `allowed-tools asks for tools of the program that runs the skill, and none of these is defined here: ${shown}.`,
      'They have no effect in a workspace without such tools.',
      place,
    )
  }
  for (const { pattern, permission } of unknown) {
    findings.add(
      'warning',
      'allowed-tools-unmatched',
      `allowed-tools asks for "${permission.slice(0, 100)}", which matches no tool.`,
      didYouMean(nearestNames(pattern, tools, 2), 'Correct the pattern, or remove it.'),
      place,
    )
  }
  return findings.list
}
