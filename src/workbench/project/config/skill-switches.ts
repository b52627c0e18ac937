import { realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { z } from 'zod'
import { type PermissionRule, WorkspaceError } from '../../../entries/index.ts'
import { checkOptions, type FilePlace, ruleKey } from '../../../entries/kit.ts'
import { defaultTrustFile, noHome } from '../trust/trust-store.ts'
import { readNamedFile } from '../walk/read-inside.ts'
import { changePrivateFile } from '../walk/replace-file.ts'
import type { ProjectConfig } from './define-config.ts'

/**
 * The skills that a person has turned off for models, each in one project: `openProject` adds their rules to those of the
 * configuration.
 */
export interface SkillSwitches {
  /** The file; null without a home, when no skill can be turned off. */
  readonly file: string | null
  /** Returns the rules that turn off the skills of a project, a folder, with their places. Throws `SKILLS_OFF_DAMAGED`. */
  read(project: string): Promise<SwitchedOff>
  /** Turns skills of a project off, or on again. Throws `TRUST_NO_HOME`. */
  turn(project: string, skills: readonly string[], off: boolean): Promise<void>
}

/** Rules that deny a model to load skills. */
export interface SwitchedOff {
  readonly deny: readonly PermissionRule[]
  readonly places: ReadonlyMap<string, FilePlace>
}

const switchesSchema = z.object({
  format: z.literal(1),
  off: z.array(z.object({ project: z.string(), skill: z.string() })),
})

type Switch = z.infer<typeof switchesSchema>['off'][number]

/**
 * Opens the skills that a user has turned off, by default those in the configuration folder, next to the trust store: like
 * trust, they are a choice of one person on one machine. The file is read at each use. Throws `SKILLS_OFF_DAMAGED` for an
 * invalid file: a skill that was turned off must not come back in silence.
 */
export function openSkillSwitches(options: { readonly file?: string | null } = {}): SkillSwitches {
  checkOptions(options, { file: 'text or null' })
  const { file = defaultFile() } = options
  return {
    file,
    async read(project) {
      if (file === null) return NOTHING_OFF
      const { text, off } = await readSwitches(file)
      const folder = await realpath(project).catch(() => project)
      const lines = entryLines(text)
      const places = new Map<string, FilePlace>()
      const deny = off.flatMap((one, at) => {
        if (one.project !== folder) return []
        const rule = switchRule(one.skill)
        const line = lines[at]
        places.set(ruleKey('deny', rule), { file, ...(line !== undefined && { line }) })
        return [rule]
      })
      return { deny, places }
    },
    async turn(project, skills, off) {
      if (file === null) throw noHome('skills that are off')
      const folder = await realpath(project).catch(() => project)
      const added = off ? skills.map((skill) => ({ project: folder, skill })) : []
      await changePrivateFile(file, async () => {
        const { off: before } = await readSwitches(file)
        const others = before.filter((one) => one.project !== folder || !skills.includes(one.skill))
        return switchesText([...others, ...added])
      })
    },
  }
}

const NOTHING_OFF: SwitchedOff = { deny: [], places: new Map() }

/** Returns the rule that denies a model to load a skill, and those that require it. */
export function switchRule(skill: string): PermissionRule {
  return { tool: 'loadSkill', where: { skillName: skill } }
}

/** Returns the rules of a session: those of the configuration, and those of skills that are off. */
export function withSwitches(
  permissions: ProjectConfig['permissions'],
  { deny, places }: SwitchedOff,
): ProjectConfig['permissions'] {
  if (deny.length === 0) return permissions
  return {
    ...permissions,
    deny: [...(permissions.deny ?? []), ...deny],
    places: new Map([...places, ...(permissions.places ?? [])]),
  }
}

function defaultFile(): string | null {
  const trustFile = defaultTrustFile()
  return trustFile === null ? null : switchesFile(trustFile)
}

/** Returns the file next to a trust file. */
export function switchesFile(trustFile: string): string {
  return join(dirname(trustFile), 'skills-off.json')
}

async function readSwitches(
  file: string,
): Promise<{ readonly text: string; readonly off: readonly Switch[] }> {
  const read = await readNamedFile(file)
  if (!read.ok && read.fault.code === 'file-not-found') return { text: '', off: [] }
  try {
    if (!read.ok) throw new Error(read.fault.message)
    const { text } = read
    return { text, off: switchesSchema.parse(JSON.parse(text)).off }
  } catch (cause) {
    const why = read.ok ? 'is not valid' : 'cannot be read'
    throw new WorkspaceError('SKILLS_OFF_DAMAGED', `The file "${file}" ${why}.`, {
      facts: { file },
      hint: 'Correct it, or remove it: all skills are on then.',
      cause,
    })
  }
}

/** One skill a line, so that each has a line of its own to point at. */
function switchesText(off: readonly Switch[]): string {
  const lines = off.map((one) => `    ${JSON.stringify(one)}`)
  return `{\n  "format": 1,\n  "off": [${lines.length === 0 ? '' : `\n${lines.join(',\n')}\n  `}]\n}\n`
}

/** Returns the line of each entry, also in a file that was written by hand. */
function entryLines(text: string): readonly number[] {
  return text
    .split('\n')
    .flatMap((line, at) => Array.from({ length: line.split('"skill":').length - 1 }, () => at + 1))
}
