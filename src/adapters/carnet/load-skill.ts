import type { Tool } from 'ai'
import { z } from 'zod'
import type { Cause } from '../../engine/model/cause.ts'
import type { SkillMetadata } from './format/manifest.ts'
import type { MetaToolHost } from './meta-tool-host.ts'

interface ListedFile {
  readonly path: string
  readonly description: string
}

type Loaded =
  | {
      success: true
      content: string
      /** Without the texts of its files. */
      metadata: Omit<SkillMetadata, 'files'> & { files: ListedFile[] }
      files: ListedFile[]
    }
  | { success: false; error: string; available: string[] }

/** One for all conversations: making a schema takes longer than all else of a session. */
const INPUT = z.object({ skillName: z.string().describe('The name of the skill to load') })

/** `loadSkill`: loads a skill of the agent's own lists, and answers with what it says. */
export function loadSkillTool({
  project,
  agent,
  session,
}: MetaToolHost): Tool<{ skillName: string }, Loaded> {
  const refusal = (error: string): Loaded => ({
    success: false,
    error,
    available: project.availableSkills(agent).map(({ name }) => name),
  })
  return {
    description: 'Load a skill by name to get its full content and capabilities',
    inputSchema: INPUT,
    async execute({ skillName }, options) {
      const key = project.skillKey(skillName)
      if (key === undefined) {
        session().warn({
          code: 'skill-unknown',
          subject: skillName.slice(0, 100),
          message: 'A model asked for a skill that is not in the manifest.',
          hint: 'Its answer listed the skills there are.',
        })
        return refusal(`Skill not found: ${skillName}`)
      }
      const outcome = session().load(key, causeOf(options))
      if (outcome?.ok === false) {
        return refusal(`Skill not found: ${skillName} (${outcome.message})`)
      }
      const {
        content,
        files: _,
        ...rest
      } = { ...project.manifest.skills[key], ...project.skillMetadata(key) }
      const files = filesOf(project.skillMetadata(key))
      return {
        success: true,
        content: project.injector.inject(content ?? ''),
        metadata: { ...rest, files },
        files,
      }
    },
  }
}

function filesOf({ files = [] }: SkillMetadata): ListedFile[] {
  return files.map(({ path, description }) => ({ path, description }))
}

/** A model's call has an id; plain code may call without any options. */
function causeOf(options: { readonly toolCallId?: string } | undefined): Cause {
  const call = options?.toolCallId
  return call === undefined ? { by: 'host' } : { by: 'model', call }
}
