import { didYouMean, nearestNames } from '../../../entries/kit.ts'
import type { CarnetProject } from './carnet-project.ts'
import type { Exposure } from './select-tools.ts'
import type { DomainToolSet } from './tool-registry.ts'

/** A warning about a probable mistake. Each is an entry of the session's log. */
export interface CarnetWarning {
  /** Number of the entry. */
  readonly seq: number
  /** `tool-name-clash`, `meta-tool-name`, `toolset-without-tools`, `toolset-unknown` or `skill-unknown`. */
  readonly code: string
  /** Name of the tool, toolset or skill. */
  readonly subject: string
  readonly message: string
  readonly hint: string
}

type Warning = Omit<CarnetWarning, 'seq'>

/** Reports tools with the same name from several places, of which the last is used. */
export function* nameClashes(
  { toolsets }: Exposure,
  given: DomainToolSet,
  { registry, replaced }: CarnetProject,
): Generator<Warning> {
  for (const { toolset, tool } of replaced) {
    if (!toolsets.has(toolset)) continue
    yield nameClash(
      tool,
      `The tool "${tool}" was registered twice for the toolset "${toolset}"; the last one is used.`,
    )
  }
  const bringers = new Map<string, string>()
  for (const toolset of toolsets) {
    const tools = registry.getTools(toolset)
    if (tools === undefined) continue
    for (const name of Object.keys(tools)) {
      const other = bringers.get(name)
      bringers.set(name, toolset)
      if (other !== undefined && registry.getTools(other)?.[name] !== tools[name]) {
        yield nameClash(
          name,
          `The toolsets "${other}" and "${toolset}" both bring a tool "${name}"; that of "${toolset}" is used.`,
        )
      }
      if (Object.hasOwn(given, name) && given[name] !== tools[name]) {
        yield nameClash(
          name,
          `The tool "${name}" is registered for the toolset "${toolset}" and was given to getTools, too; the one given is used.`,
        )
      }
    }
  }
}

/** Reports toolsets of loaded skills for which the host gave no tools. */
export function* toolsetsWithoutTools(
  { skills, toolsets }: Exposure,
  given: DomainToolSet,
  { manifest, registry }: CarnetProject,
): Generator<Warning> {
  for (const toolset of toolsets) {
    if (Object.keys(registry.getTools(toolset) ?? {}).length > 0) continue
    const listed = Object.hasOwn(manifest.toolsets, toolset)
      ? (manifest.toolsets[toolset]?.tools ?? [])
      : []
    if (listed.some((name) => Object.hasOwn(given, name))) continue
    const skill = skills.find((key) => manifest.skills[key]?.toolsets.includes(toolset))
    yield {
      code: 'toolset-without-tools',
      subject: toolset,
      message: `The skill "${skill}" is loaded, and no tool of its toolset "${toolset}" is registered.`,
      hint: `Register them with registerDomainToolset("${toolset}", tools), or give them to getTools.`,
    }
  }
}

/** Reports toolsets that tools are registered for, and that neither the manifest nor a skill has. */
export function* unknownToolsets({ manifest, registry }: CarnetProject): Generator<Warning> {
  const named = Object.values(manifest.skills).flatMap(({ toolsets }) => toolsets)
  const known = new Set([...Object.keys(manifest.toolsets), ...named])
  for (const toolset of registry.listToolsets()) {
    if (known.has(toolset)) continue
    yield {
      code: 'toolset-unknown',
      subject: toolset,
      message: `Tools are registered for the toolset "${toolset}", and neither the manifest nor a skill has it.`,
      hint: didYouMean(nearestNames(toolset, known), 'Name it in the toolsets of a skill.'),
    }
  }
}

function nameClash(tool: string, message: string): Warning {
  const hint = 'Give the two tools different names.'
  return { code: 'tool-name-clash', subject: tool, message, hint }
}
