import compareBuild from 'semver/functions/compare-build.js'
import { componentHash } from './catalog.ts'
import type { ToolComponent } from '../../components/define-component.ts'
import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { byName } from '../../kernel/nearest-names.ts'
import type { Skill } from '../../skills/definition/skill.ts'
import type { TopicRules } from '../../tools/define-rules.ts'
import type { Toolset } from '../../tools/define-toolset.ts'
import type { Tool } from '../../tools/definition/tool.ts'

interface Named {
  readonly name: string
  readonly hash: string
  readonly description?: string
  /** The file it was read from; absent if it was defined in code. */
  readonly path?: string
}

/** Definitions of one kind, one per name. */
interface UniqueByName<T> {
  /** In order of names. */
  readonly unique: Map<string, T>
  /** Definitions whose name an earlier definition has, in order of names. */
  readonly shadowed: readonly T[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Keeps the first definition of each name. Loaders list nearer definitions first, such as a project's.
 *
 * The same definition from the same file, given twice, is not a duplicate.
 */
export function uniqueByName<T extends Named>(
  kind: 'skill' | 'toolset' | 'agent' | 'component' | 'server',
  items: readonly T[],
): UniqueByName<T> {
  const unique = new Map<string, T>()
  const shadowed: T[] = []
  const diagnostics: Diagnostic[] = []
  const others = new Map<T, T[]>()
  for (const item of items.toSorted((a, b) => byName(a.name, b.name))) {
    const first = unique.get(item.name)
    if (first === undefined) unique.set(item.name, item)
    else if (first.hash !== item.hash || first.path !== item.path) {
      shadowed.push(item)
      others.set(first, [...(others.get(first) ?? []), item])
    }
  }
  for (const [first, named] of others) {
    const copies = named.filter(({ hash }) => hash === first.hash)
    // Files that say the same about themselves, such as a skill for two clients.
    const alike = named.filter(
      ({ hash, path, description = '' }) =>
        hash !== first.hash &&
        path !== undefined &&
        description !== '' &&
        description === first.description,
    )
    const editions = alike.length > 1 ? alike : []
    const rest = named.filter((one) => !copies.includes(one) && !editions.includes(one))
    for (const item of rest) {
      diagnostics.push({
        code: `duplicate-${kind}`,
        severity: 'warning',
        message: `Two ${kind}s are named "${item.name}": the one ${definedWhere(first)} is used, the one ${definedWhere(item)} is not.`,
        hint: `Rename one of the two, or remove the ${kind} that is not used.`,
        ...(item.path !== undefined && { file: item.path }),
      })
    }
    const groups = [
      [
        copies,
        'info',
        'the same text',
        'Copies for other clients may stay. Remove those that nothing reads.',
      ],
      [
        editions,
        'warning',
        'the same description and another text',
        'Read only the folder of one client, if the others are for other clients. Else rename or remove them.',
      ],
    ] as const
    for (const [[one, ...more], severity, what, hint] of groups) {
      if (one === undefined) continue
      const where = [one, ...more].map(definedWhere)
      const last = where.pop() ?? ''
      diagnostics.push({
        code: `duplicate-${kind}`,
        severity,
        message: `${more.length === 0 ? 'Two' : more.length + 2} ${kind}s are named "${first.name}", with ${what}: the one ${definedWhere(first)} is used, ${where.length === 0 ? `and not the one ${last}` : `and not those ${where.join(', ')} and ${last}`}.`,
        hint,
        ...(one.path !== undefined && { file: one.path }),
      })
    }
  }
  return { unique, shadowed, diagnostics }
}

function definedWhere({ path }: Pick<Named, 'path'>): string {
  return path === undefined ? 'defined in code' : `from ${path}`
}

/** Applies `uniqueByName` to components, which have a key for a name and no stored hash. */
export function uniqueComponents(items: readonly ToolComponent[]): UniqueByName<ToolComponent> {
  const { unique, shadowed, diagnostics } = uniqueByName(
    'component',
    items.map((component) => ({
      name: component.key,
      hash: componentHash(component),
      component,
    })),
  )
  return {
    unique: new Map([...unique].map(([key, { component }]) => [key, component])),
    shadowed: shadowed.map(({ component }) => component),
    diagnostics,
  }
}

/**
 * Gathers the toolsets of a catalog and those that its skills contain by value, one per name.
 *
 * A skill keeps its own toolset even if another one has taken the name; it is then not found by name.
 */
export function gatherToolsets(
  given: readonly Toolset[],
  skills: Iterable<Skill>,
): UniqueByName<Toolset> {
  const { unique, shadowed, diagnostics } = uniqueByName('toolset', given)
  const clashes: Diagnostic[] = []
  for (const skill of skills) {
    for (const toolset of skill.toolsets) {
      if (typeof toolset === 'string') continue
      const first = unique.get(toolset.name)
      if (first === undefined) unique.set(toolset.name, toolset)
      else if (first.hash !== toolset.hash) {
        clashes.push({
          code: 'duplicate-toolset',
          severity: 'warning',
          message: `The skill "${skill.name}" has its own toolset "${toolset.name}", and the catalog has another one of that name.`,
          hint: 'Rename one of the two: only the toolset of the catalog is found by name.',
          ...(skill.path !== undefined && { file: skill.path }),
        })
      }
    }
  }
  return {
    unique: new Map([...unique].sort(([a], [b]) => byName(a, b))),
    shadowed,
    diagnostics: [...diagnostics, ...clashes],
  }
}

/** Keeps the first rules of each topic, as with all definitions, in order of topics. Equal rules twice are not a clash. */
export function gatherRules(
  given: readonly TopicRules[],
): Omit<UniqueByName<TopicRules>, 'shadowed'> {
  const unique = new Map<string, TopicRules>()
  const diagnostics: Diagnostic[] = []
  for (const rules of given.toSorted((a, b) => byName(a.topic, b.topic))) {
    const first = unique.get(rules.topic)
    if (first === undefined) unique.set(rules.topic, rules)
    else if (first.hash !== rules.hash) {
      diagnostics.push({
        code: 'duplicate-rules',
        severity: 'warning',
        message: `There are two sets of rules for the topic "${rules.topic}": those ${definedWhere(first)} are used, those ${definedWhere(rules)} are not.`,
        hint: 'Merge both into one text, or remove the one that is not used.',
        ...(rules.path !== undefined && { file: rules.path }),
      })
    }
  }
  return { unique, diagnostics }
}

/**
 * Groups tools by name, in order of names, each with its versions, highest first. Of two tools with the same name and
 * version, the first is kept.
 */
export function shareTools(given: readonly Tool[]): {
  readonly tools: Map<string, readonly Tool[]>
  readonly diagnostics: readonly Diagnostic[]
} {
  const tools = new Map<string, Tool[]>()
  const diagnostics: Diagnostic[] = []
  for (const tool of given.toSorted((a, b) => byName(a.name, b.name))) {
    const versions = tools.get(tool.name) ?? []
    tools.set(tool.name, versions)
    const first = versions.find(({ version }) => version === tool.version)
    if (first === undefined) versions.push(tool)
    else if (first.hash !== tool.hash) {
      diagnostics.push({
        code: 'duplicate-tool',
        severity: 'warning',
        message: `Two shared tools are "${tool.name}" in version ${tool.version}, with different definitions: ${shortHash(first)} is used, ${shortHash(tool)} is not.`,
        hint: 'Give one of the two another name or version.',
      })
    }
  }
  for (const versions of tools.values()) {
    Object.freeze(versions.sort((a, b) => compareBuild(b.version, a.version)))
  }
  return { tools, diagnostics }
}

/** Returns enough of a hash to distinguish two definitions. */
function shortHash({ hash }: Tool): string {
  return hash.slice(0, 'sha256:'.length + 12)
}
