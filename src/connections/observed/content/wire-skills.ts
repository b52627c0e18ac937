import type { SeenSkill } from '../observation.ts'
import { codexOutcome, commandIn, printedOutput } from './codex-outcome.ts'
import { describedSkills, skillsInText } from './described-skills.ts'
import { isSkillFile, printedSkillFiles, readSkillFile, skillReadFrom } from './read-skill-file.ts'
import { memberIn, number, text } from './text-in-content.ts'

/** The instructions of a skill that came into a conversation. */
interface LoadedSkill {
  readonly skill: string
  readonly text: string
}

/** Reads the lists of skills in requests, and the calls that load skills: those of the clients that are known. */
export class WireSkills {
  #listed = new Map<string, SeenSkill>()
  /** The skills, or the files of skills, that calls read, by their ids. */
  readonly #calls = new Map<string, { readonly skill: string; readonly files: readonly string[] }>()
  /** The skills that Claude Code was asked for and did not send yet, with the ids of the calls. */
  readonly #asked: (readonly [call: string, skill: string])[] = []

  /** Returns the skills that the model is shown after a text of the client; null for a text without a list. */
  listedBy(said: string): readonly SeenSkill[] | null {
    const [, later] = said.split(LIST_OF_CLAUDE)
    if (later !== undefined) {
      const [end = later] = later.split(/\n\n|\n<\/system-reminder>/)
      for (const [name, description] of describedSkills(end, [])) {
        // A later list has only what is new.
        if (name !== '') this.#listed.set(name, { name, description: description || null })
      }
      return [...this.#listed.values()]
    }
    const skills = skillsInText(said)?.skills ?? inMarkup(said)
    if (skills === null) return null
    this.#listed = new Map(skills.map((skill) => [skill.name, skill]))
    return skills
  }

  /** Notes a call; returns the skill that it loads. */
  call(call: string, tool: string, input: unknown): { readonly skill?: string } {
    const skill = skillAskedBy(tool, input).replace(/^\//, '')
    const files = skill === '' ? filesReadBy(tool, input) : []
    if (skill !== '' || files.length > 0) this.#calls.set(call, { skill, files })
    if (tool === 'Skill' && skill !== '') this.#asked.push([call, skill])
    return skill === '' ? skillReadFrom(files) : { skill }
  }

  /** Returns the skills that the result of a call has the instructions of; none of one that did not succeed. */
  loadedBy(call: string, said: string, isOk: boolean): readonly LoadedSkill[] {
    const asked = this.#asked.findIndex(([one]) => one === call)
    if (!isOk && asked >= 0) this.#asked.splice(asked, 1)
    if (!isOk) return []
    const { skill = '', files = [] } = this.#calls.get(call) ?? {}
    if (skill !== '') {
      const loaded = contentOfSkill(said) ?? textOfSkill(skill, said)
      return loaded === null ? [] : [loaded]
    }
    const { name, body } = readSkillFile(printedOutput(said))
    const names = files.map((file) => name || (file.split(/[\\/]/).at(-2) ?? ''))
    return [...new Set(names)]
      .filter((one) => one !== '')
      .map((one) => ({ skill: one, text: body }))
  }

  /** Returns the skill whose instructions a text in a message is, with the call that asked for it. */
  loadedIn(said: string): (LoadedSkill & { readonly call: string | null }) | null {
    if (!said.startsWith(SKILL_FOLDER)) {
      const named = skillNamedIn(said)
      return named && { ...named, call: null }
    }
    const [folder = '', ...lines] = said.slice(SKILL_FOLDER.length).split('\n')
    const name = folder.split(/[\\/]/).at(-1) ?? ''
    const named = this.#asked.findIndex(([, one]) => one === name)
    const [[call = null, asked] = []] = this.#asked.splice(Math.max(0, named), 1)
    const skill = asked ?? name
    return skill === '' ? null : { skill, text: lines.join('\n').trim(), call }
  }
}

/**
 * Returns the outcome of a call from its result alone, by the words of the clients that are known.
 *
 * @param isError the request says so
 */
export function outcomeOnWire(said: string, isError: boolean): 'ok' | 'failed' | 'refused' {
  if (REFUSED_BY_CLAUDE.test(said) || REFUSED_BY_OPEN_CODE.test(said)) return 'refused'
  return isError || FAILED.some((form) => form.test(said))
    ? 'failed'
    : codexOutcome(undefined, undefined, said)
}

/** The ways in which Codex, pi and OpenCode write a skill that the person named: its name, then its text; or reversed. */
const NAMED_SKILL = [
  /^<skill>\s*<name>([^<]{1,200})<\/name>(?:\s*<path>[^<]*<\/path>)?([^]*?)(?:<\/skill>\s*)?$/,
  /^<skill name="([^"\n]{1,200})"[^>\n]*>([^]*?)<\/skill>/,
] as const

const NAMED_BELOW =
  /^([^]*?)\nBase directory for this skill: ([^\n]{1,1000})\nRelative paths in this skill [^\n]*(?:\n|$)/

/** Returns the skill that the person named, where a message begins with its instructions; null for another one. */
export function skillNamedIn(said: string): LoadedSkill | null {
  const [, name = '', text = ''] =
    NAMED_SKILL.map((form) => form.exec(said)).find((found) => found !== null) ?? []
  if (name !== '') return { skill: name, text: readSkillFile(text.trim()).body }
  const [, body = '', folder = ''] = NAMED_BELOW.exec(said) ?? []
  const skill = folder.split(/[\\/]/).at(-1) ?? ''
  return skill === '' ? null : { skill, text: body.trim() }
}

/** The words before a list of Claude Code. */
const LIST_OF_CLAUDE = 'skills are available for use with the Skill tool:\n\n'

/** The beginning of the result of a call that was not allowed, in versions that do not write the decision. */
export const REFUSED_BY_CLAUDE =
  /^(?:The user doesn't want to (?:proceed|take this action)|Permission to use .{1,300} has been denied|Skill execution blocked by permission rules)/

/** The beginning of the text of a skill, where Claude Code says which folder it is in. */
export const SKILL_FOLDER = 'Base directory for this skill: '

/** The members of their input in which tools for skills have the name of one: the second is that of Qwen Code. */
const ASKS: Readonly<Record<string, readonly string[]>> = {
  Skill: ['skill'],
  skill: ['name', 'skill'],
  activate_skill: ['name'],
}

/** Returns the name of the skill that a call of a tool for skills asks for; empty for another tool. */
export function skillAskedBy(tool: string, input: unknown): string {
  const names = Object.hasOwn(ASKS, tool) ? (ASKS[tool] ?? []) : []
  return names.map((name) => text(memberIn(input, name))).find((name) => name !== '') ?? ''
}

/** The texts of a skill in results of Qwen Code and Gemini CLI, which have another name of it, or none. */
const TEXTS_OF_SKILLS = [
  /^Base directory for this skill: [^\n]*\nImportant: [^\n]*\n\n([^]*)$/,
  /^<activated_skill [^\n]*>\n\s*<instructions>\n([^]*?)\n {2}<\/instructions>\n/,
] as const

/** Returns the text of the skill that a call asked for from its result; null for another result. */
export function textOfSkill(skill: string, said: string): LoadedSkill | null {
  const [, body] =
    TEXTS_OF_SKILLS.map((form) => form.exec(said)).find((found) => found !== null) ?? []
  return body === undefined ? null : { skill, text: body.trim() }
}

/** Returns the skill files that a call reads from their first line on. */
export function filesReadBy(tool: string, input: unknown): readonly string[] {
  if (!/^read(?:_file)?$/i.test(tool)) return printedSkillFiles(commandIn(tool, input))
  const paths = ['path', 'file_path', 'filePath'].map((name) => text(memberIn(input, name)))
  const first = number(memberIn(input, 'offset') ?? memberIn(input, 'start_line'))
  return first <= 1 ? paths.filter(isSkillFile) : []
}

/** A skill in a list in markup. */
const ENTRY =
  /<skill>\s*<name>([^<]{1,300})<\/name>\s*<description>([^<]*)<\/description>\s*<location>/g

/** Reads the list of OpenCode, pi, Gemini CLI or Qwen Code; null for another text. */
function inMarkup(said: string): readonly SeenSkill[] | null {
  const [, later] = said.split('<available_skills>\n')
  const [listed, end] = later?.split('\n</available_skills>') ?? []
  if (listed === undefined || end === undefined) return null
  // Qwen Code has lines of their own for texts, and the level of a skill behind its description.
  return [...listed.matchAll(ENTRY)].map(([, name = '', description = '']) => ({
    name: unescaped(name.replace(/^\n(.*)\n$/, '$1')),
    description: unescaped(description.replace(/^\n([^]*) \(\w+\)\n$/, '$1')) || null,
  }))
}

const SIGNS: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&apos;': "'",
  '&amp;': '&',
}

function unescaped(said: string): string {
  return said.replaceAll(/&(?:lt|gt|quot|apos|amp);/g, (sign) => SIGNS[sign] ?? sign)
}

/** Returns the skill and its instructions in the result of the tool for skills; null for another result. */
export function contentOfSkill(said: string) {
  const [, skill = '', body = ''] =
    /^<skill_content name="([^"\n]+)">\n([^]*?)(?:\n\nBase directory for this skill: |<\/skill_content>|$)/.exec(
      said,
    ) ?? []
  return skill === '' ? null : { skill, text: body.replace(/^# Skill: .*\n+/, '').trim() }
}

/** The errors of pi and OpenCode themselves, which the Chat Completions API has no mark for. */
const FAILED = [
  /^E[A-Z]{3,14}: [\w ,]{1,100}, [a-z]{2,10}(?: '|$)/,
  /^(?:Could not (?:edit|find) |Operation aborted$|Tool \S{1,200} not found$|Validation failed for tool ")/,
  /\nCommand (?:aborted|timed out after \d{1,9} seconds|exited with code [1-9]\d{0,9})$/,
  /^(?:File not found: |The \S{1,200} tool was called with invalid arguments: )/,
  /^Skill "[^"\n]{1,200}" not found\. Available skills: /,
]

/** The beginning of the result of a call that a person or a rule did not allow. */
export const REFUSED_BY_OPEN_CODE =
  /^The user (?:rejected permission|has specified a rule which prevents)/
