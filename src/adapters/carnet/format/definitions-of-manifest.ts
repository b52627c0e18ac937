import type {
  CarnetAgent,
  CarnetApp,
  CarnetFile,
  CarnetManifest,
  CarnetSkill,
  CarnetTool,
  CarnetToolset,
} from './carnet-manifest.ts'
import type { Diagnostic } from '../../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../../kernel/workspace-error.ts'
import { type Agent, defineAgent } from '../../../skills/definition/define-agent.ts'
import { defineSkill, isSkillFilePath } from '../../../skills/definition/define-skill.ts'
import { usableName, usableToolName } from '../../../skills/definition/definition-name.ts'
import type { Skill } from '../../../skills/definition/skill.ts'
import { withoutBlankEdges } from '../../../skills/parse/read-definition.ts'
import { defineTool } from '../../../tools/define-tool.ts'
import { defineToolset, type Toolset } from '../../../tools/define-toolset.ts'
import type { Tool } from '../../../tools/definition/tool.ts'

/** A manifest's content as definitions of ours, each kind in the order of the manifest. */
export interface CarnetDefinitions {
  readonly skills: readonly Skill[]
  readonly toolsets: readonly Toolset[]
  /** Unbound: a manifest holds what is written about tools, the host registers their code. */
  readonly tools: readonly Tool[]
  readonly agents: readonly Agent[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * Make definitions of a manifest. Names that cannot be used here are changed (`carnetName`) and
 * kept as display name and alias; what cannot be defined is an error and stops no other. `path` is
 * the file that definitions and findings name.
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
  const note = (code: string, message: string, hint: string) =>
    diagnostics.push(finding(code, message, hint, path))
  return {
    skills: all(manifest.skills, (skill) => skillOf(skill, at, note)),
    toolsets: all(manifest.toolsets, (toolset) => toolsetOf(toolset, at)),
    tools: all(manifest.tools, toolOf),
    agents: all(manifest.agents, (agent) => agentOf(agent, manifest.app, at)),
    diagnostics,
  }
}

interface At {
  readonly path?: string
}

type Note = (code: string, message: string, hint: string) => void

function skillOf(skill: CarnetSkill, at: At, note: Note): Skill {
  const { name, description, content, toolsets } = skill
  return defineSkill({
    ...named(name),
    ...(carnetName(name) !== name && { aliases: [name] }),
    ...at,
    description,
    instructions: withoutBlankEdges(content),
    toolsets: [...new Set(toolsets.map(carnetToolName))],
    files: filesOf(skill, note),
  })
}

function filesOf({ name, files = [] }: CarnetSkill, note: Note) {
  const byPath = new Map<string, CarnetFile>()
  for (const file of files) {
    if (!isSkillFilePath(file.path)) {
      const message = `The skill "${name}" lists the file "${file.path}", which is no path inside it; it is left out.`
      note('file-path-outside', message, 'Use a path such as "references/guide.md".')
    } else byPath.set(file.path, file)
  }
  return [...byPath.values()].map(({ path, description, content }) => ({
    path,
    ...(description !== '' && { description }),
    text: content,
  }))
}

function toolsetOf({ name, description, tools, content }: CarnetToolset, at: At): Toolset {
  return defineToolset({
    name: carnetToolName(name),
    description,
    instructions: content.trim(),
    tools: [...new Set(tools.map(carnetToolName))],
    ...at,
  })
}

/** Nothing is known of its arguments or of what it does, so any are let through, as an action. */
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

function agentOf(agent: CarnetAgent, app: CarnetApp, at: At): Agent {
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

/** The name that a skill or agent of Carnet goes by here: Carnet allows any text as a name. */
export function carnetName(name: string): string {
  return usableName(name) ?? name
}

/** The name that a toolset or tool of Carnet goes by here. */
export function carnetToolName(name: string): string {
  return usableToolName(name) ?? name
}
