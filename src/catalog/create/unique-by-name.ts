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
  /** The file it was read from; made in code without it. */
  readonly path?: string
}

/** Definitions of one kind, one a name. */
interface UniqueByName<T> {
  /** In the order of names. */
  readonly unique: Map<string, T>
  /** Those whose name an earlier one has, in the order of names. */
  readonly shadowed: readonly T[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Keep the first of each name; loaders give what is nearer, such as a project's, before the rest.
 *
 * The same definition from the same file, given again, is not a duplicate.
 */
export function uniqueByName<T extends Named>(
  kind: 'skill' | 'toolset' | 'agent' | 'component',
  items: readonly T[],
): UniqueByName<T> {
  const unique = new Map<string, T>()
  const shadowed: T[] = []
  const diagnostics: Diagnostic[] = []
  for (const item of items.toSorted((a, b) => byName(a.name, b.name))) {
    const first = unique.get(item.name)
    if (first === undefined) unique.set(item.name, item)
    else if (first.hash !== item.hash || first.path !== item.path) {
      shadowed.push(item)
      diagnostics.push({
        code: `duplicate-${kind}`,
        severity: 'warning',
        message: `Two ${kind}s are named "${item.name}": the one ${originOf(first)} is used, the one ${originOf(item)} is not.`,
        hint: `Rename one of the two, or remove the ${kind} that is not used.`,
        ...(item.path !== undefined && { file: item.path }),
      })
    }
  }
  return { unique, shadowed, diagnostics }
}

function originOf({ path }: Named): string {
  return path === undefined ? 'made in code' : `from ${path}`
}

/** `uniqueByName` for components, which go by their key and carry no hash. */
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
 * The toolsets a catalog is given and those its skills hold by value, one a name.
 *
 * A skill whose own toolset lost its name to another keeps it; only by name it is not found.
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
      else if (first.hash !== toolset.hash) clashes.push(toolsetClash(skill, toolset))
    }
  }
  return {
    unique: new Map([...unique].sort(([a], [b]) => byName(a, b))),
    shadowed,
    diagnostics: [...diagnostics, ...clashes],
  }
}

function toolsetClash(skill: Skill, { name }: Toolset): Diagnostic {
  return {
    code: 'duplicate-toolset',
    severity: 'warning',
    message: `The skill "${skill.name}" brings a toolset "${name}" of its own, and the catalog has another one of that name.`,
    hint: 'Rename one of the two: by name only the one of the catalog is found.',
    ...(skill.path !== undefined && { file: skill.path }),
  }
}

/** Rules, one a topic, and those that had to give way to earlier ones of their topic. */
interface GatheredRules {
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
    else if (first.hash !== rules.hash) diagnostics.push(rulesClash(first, rules))
  }
  return { unique, diagnostics }
}

function rulesClash(first: TopicRules, { topic, path }: TopicRules): Diagnostic {
  return {
    code: 'duplicate-rules',
    severity: 'warning',
    message: `There are two sets of rules for the topic "${topic}": those ${rulesOrigin(first)} are used, those ${rulesOrigin({ path })} are not.`,
    hint: 'Put both into one text, or remove the one that is not used.',
    ...(path !== undefined && { file: path }),
  }
}

function rulesOrigin({ path }: { readonly path?: string | undefined }): string {
  return path === undefined ? 'given in code' : `from ${path}`
}

/** Shared tools by name, in the order of names, each with its versions, the highest first. */
interface SharedTools {
  readonly tools: Map<string, readonly Tool[]>
  readonly diagnostics: readonly Diagnostic[]
}

/** Group tools by name; of two of the same name and version the first given is kept. */
export function shareTools(given: readonly Tool[]): SharedTools {
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

/** Enough of a hash to tell two definitions apart. */
function shortHash({ hash }: Tool): string {
  return hash.slice(0, 'sha256:'.length + 12)
}
