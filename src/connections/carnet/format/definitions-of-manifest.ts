import {
  type Agent,
  defineAgent,
  defineSkill,
  defineTool,
  defineToolset,
  type Diagnostic,
  type Skill,
  type Tool,
  type Toolset,
  WorkspaceError,
} from '../../../entries/index.ts'
import { isSkillFilePath, usableName, usableToolName } from '../../../entries/kit.ts'
import type {
  CarnetAgent,
  CarnetApp,
  CarnetFile,
  CarnetManifest,
  CarnetSkill,
  CarnetTool,
  CarnetToolset,
} from './carnet-manifest.ts'
import { withoutBlankEdges } from '../../../skills/parse/read-definition.ts'

/** The content of a manifest as definitions of Loadout, each kind in the order of the manifest. */
export interface CarnetDefinitions {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  /** Unbound: a manifest describes tools, and the host registers their code. */
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Converts a manifest to definitions.
 *
 * Names that are not allowed here are changed (`carnetName`) and kept as display name and alias. An
 * entry that cannot be defined is an error and does not affect the others. `path` is the file that
 * definitions and findings name.
 */
export function definitionsOfManifest(manifest: CarnetManifest, path?: string): CarnetDefinitions {
  const diagnostics: Diagnostic[] = []
  const at = path === undefined ? {} : { path }
  const all = <From, To>(from: Readonly<Record<string, From>>, define: (one: From) => To): To[] =>
    Object.values(from).flatMap((one) => {
      try {
        return [define(one)]
      } catch (error) {
        if (!WorkspaceError.is(error)) throw error
        const { message, hint } = error
        diagnostics.push({ ...finding('manifest-entry', message, hint, path), severity: 'error' })
        return []
      }
    })
  const report = (code: string, message: string, hint: string) =>
    diagnostics.push(finding(code, message, hint, path))
  return {
    skills: all(manifest.skills, (skill) => skillOf(skill, at, report)),
    toolsets: all(manifest.toolsets, (toolset) => toolsetOf(toolset, at)),
    tools: all(manifest.tools, toolOf),
    agents: all(manifest.agents, (agent) => agentOf(agent, manifest.app, at)),
    diagnostics,
  }
}

interface Origin {
  readonly path?: string
}

type Report = (code: string, message: string, hint: string) => void

function skillOf(skill: CarnetSkill, at: Origin, report: Report): Skill {
  const { name, description, content, toolsets } = skill
  return defineSkill({
    ...named(name),
    ...(carnetName(name) !== name && { aliases: [name] }),
    ...at,
    description,
    instructions: withoutBlankEdges(content),
    toolsets: [...new Set(toolsets.map(carnetToolName))],
    files: filesOf(skill, report),
  })
}

function filesOf({ name, files = [] }: CarnetSkill, report: Report) {
  const byPath = new Map<string, CarnetFile>()
  for (const file of files) {
    if (!isSkillFilePath(file.path)) {
      const message = `The skill "${name}" lists the file "${file.path}", which is not a path inside it; the file is left out.`
      report('file-path-outside', message, 'Use a path such as "references/guide.md".')
    } else byPath.set(file.path, file)
  }
  return [...byPath.values()].map(({ path, description, content }) => ({
    path,
    ...(description !== '' && { description }),
    text: content,
  }))
}

function toolsetOf({ name, description, tools, content }: CarnetToolset, at: Origin): Toolset {
  return defineToolset({
    name: carnetToolName(name),
    description,
    instructions: content.trim(),
    tools: [...new Set(tools.map(carnetToolName))],
    ...at,
  })
}

/**
 * Makes a tool that accepts any arguments and counts as an action, because a manifest describes
 * neither its arguments nor its effects.
 */
function toolOf({ name, description, content }: CarnetTool): Tool {
  const documentation = content.trim()
  return defineTool({
    name: carnetToolName(name),
    description,
    category: 'action',
    inputSchema: { type: 'object', additionalProperties: true },
    ...(documentation !== '' && { documentation }),
  })
}

function agentOf(agent: CarnetAgent, app: CarnetApp, at: Origin): Agent {
  const { name, description, prompt } = agent
  const names = (...lists: readonly (readonly string[])[]) => [
    ...new Set(lists.flat().map(carnetName)),
  ]
  return defineAgent({
    ...named(name),
    ...at,
    description,
    prompt: prompt.trim(),
    initialSkills: names(app.globalInitialSkills, agent.initialSkills),
    skills: names(app.globalSkills, agent.skills),
  })
}

function named(name: string): { readonly name: string; readonly displayName?: string } {
  const usable = carnetName(name)
  return usable === name ? { name } : { name: usable, displayName: name }
}

function finding(code: string, message: string, hint: string, file?: string): Diagnostic {
  return { code, severity: 'warning', message, hint, ...(file !== undefined && { file }) }
}

/** Returns the name of a Carnet skill or agent in Loadout: Carnet allows any text as a name. */
export function carnetName(name: string): string {
  return usableName(name) ?? name
}

/** Returns the name of a Carnet toolset or tool in Loadout. */
export function carnetToolName(name: string): string {
  return usableToolName(name) ?? name
}
