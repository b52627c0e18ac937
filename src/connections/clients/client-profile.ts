import type { ClientFolders } from './client-folders.ts'
import type { FoundSkill, ListScope } from './find-skill-files.ts'

/** The clients that have a profile. */
export const CLIENT_NAMES = [
  'claude-code',
  'codex',
  'opencode',
  'pi',
  'gemini-cli',
  'qwen-code',
] as const

export type ClientName = (typeof CLIENT_NAMES)[number]

/** The kinds of reasons for which a client leaves a skill out of its list, or shows less of it. */
export type ReasonCode =
  | 'block-text'
  | 'byte-order-mark'
  | 'closing-tag'
  | 'config-table'
  | 'control-character'
  | 'disable-model-invocation'
  | 'ignored-by-line'
  | 'implicit-invocation'
  | 'invalid-yaml'
  | 'long-description'
  | 'long-name'
  | 'name-with-signs'
  | 'no-description'
  | 'no-front-matter'
  | 'no-name'
  | 'no-room'
  | 'no-yaml'
  | 'not-a-list'
  | 'not-utf-8'
  | 'other-products'
  | 'paths'
  | 'paths-outside'
  | 'permission-rule'
  | 'refused-name'
  | 'same-folder-name'
  | 'same-name'
  | 'settings-pattern'
  | 'skill-overrides'
  | 'skill-tool-denied'
  | 'skills-disabled'
  | 'skills-off'
  | 'wrong-kind'

/** A reason, as a program and as a person reads it. */
export interface ListReason {
  readonly code: ReasonCode
  readonly text: string
  /** The most characters, where there are more. */
  readonly limit?: number
}

/** A name and a description as a client takes them from a file, or the reason why it takes none. */
export type Reading =
  | {
      readonly name: string
      /** Another name that the client shows behind it. */
      readonly title?: string
      readonly description: string
      /** A reason for which the client keeps the skill out of its list. */
      readonly hidden?: ListReason
      /** A reason for which the client lists the name alone. */
      readonly nameOnly?: ListReason
      /** A change that the client makes in the text. */
      readonly changed?: ListReason
      readonly line?: number
    }
  | { readonly dropped: ListReason; readonly line?: number }

/** A file of a skill, and what a client takes from it. */
export type ReadSkill = FoundSkill & Reading

/** An entry before the budget: own skills with their whole text, built-in ones with the length of theirs. */
export interface ListEntry {
  readonly name: string
  /** Null for a text of the client, which is not known here but for its length. */
  readonly description: string | null
  readonly length: number
  /** Of the text of a built-in skill. */
  readonly columns?: number
  readonly scope: ListScope
  readonly file?: FoundSkill
  readonly nameOnly?: ListReason
  /** True if a budget never takes its description. */
  readonly isFixed?: true
}

/** A skill that is not listed, with the reason. */
export interface Unlisted {
  readonly name: string
  readonly file: FoundSkill
  readonly outcome: 'hidden' | 'dropped' | 'replaced'
  readonly reason: ListReason
  readonly line?: number
}

/** The list of a client before the budget. */
export interface Arranged {
  readonly entries: readonly ListEntry[]
  readonly unlisted: readonly Unlisted[]
  /** Sentences about what the profile does not know, by the name of the skill. */
  readonly unknown?: ReadonlyMap<string, string>
  /** A sentence about an order that the client leaves to chance. */
  readonly unknownOrder?: string
}

/** The characters or bytes that a client has for its list; null where it has no limit. */
export interface ListBudget {
  readonly limit: number | null
  readonly unit: 'characters' | 'bytes'
  /** A setting that makes room, and its effect. */
  readonly setting?: string
}

/** A budget, and for each entry the length of the description that is left; null for an entry that is left out. */
export interface Fitted extends ListBudget {
  /** The size of each entry with all of its description. */
  readonly sizes: readonly number[]
  readonly shown: readonly (number | null)[]
}

/** The window and the model that a list is made for. */
export interface ListFor {
  readonly window: number
  readonly model?: string
}

/** The rules by which one version of a client reads, cuts and shows skills. */
export interface ClientProfile {
  readonly name: ClientName
  readonly title: string
  /** The version that it was checked with. */
  readonly version: string
  /** The window of its default model, in tokens. */
  readonly window: number
  readonly builtIns: readonly BuiltInSkill[]
  /** Reads all skills that it finds, in the order in which it finds them. */
  read(folders: ClientFolders): Promise<readonly ReadSkill[]>
  /** Puts them in the order of the list, with its built-in skills. */
  arrange(skills: readonly ReadSkill[], folders: ClientFolders): Promise<Arranged>
  fit(entries: readonly ListEntry[], made: ListFor, folders: ClientFolders): Promise<Fitted>
}

/** A skill that comes with a client: its name, the length of its description, and its columns if these are fewer. */
export type BuiltInSkill = readonly [name: string, length: number, columns?: number]

/** Returns the entry of an own skill. */
export function ownEntry(skill: ListedReading): ListEntry {
  const { name, description, scope, nameOnly } = skill
  const reason = nameOnly === undefined ? {} : { nameOnly }
  return { name, description, length: description.length, scope, file: skill, ...reason }
}

/** Returns the entry of a built-in skill. */
export function builtInEntry([name, length, columns = length]: BuiltInSkill): ListEntry {
  return { name, description: null, length, columns, scope: 'built-in' }
}

/** Returns the reason for a description that a client cuts, whatever room there is. */
export function longDescription(length: number, limit: number): ListReason {
  return { code: 'long-description', text: `cut from ${length} to ${limit} characters`, limit }
}

/** A skill that a client takes. */
export type ListedReading = FoundSkill & Extract<Reading, { name: string }>

/** Splits what was read into skills that a client lists and others. */
export function sortReadings(skills: readonly ReadSkill[]): {
  readonly listed: readonly ListedReading[]
  readonly unlisted: readonly Unlisted[]
} {
  const listed: ListedReading[] = []
  const unlisted: Unlisted[] = []
  for (const skill of skills) {
    const line = skill.line === undefined ? {} : { line: skill.line }
    if ('dropped' in skill) {
      const { folderName: name, dropped: reason } = skill
      unlisted.push({ name, file: skill, outcome: 'dropped', reason, ...line })
    } else if (skill.hidden !== undefined) {
      const { name, hidden: reason } = skill
      unlisted.push({ name, file: skill, outcome: 'hidden', reason, ...line })
    } else listed.push(skill)
  }
  return { listed, unlisted }
}

/** Returns the first skill of each name, with those that it replaces. One that is hidden has its name, too. */
export function firstOfNames(skills: readonly ReadSkill[]): {
  readonly names: ReadonlySet<string>
  readonly listed: readonly ListedReading[]
  readonly unlisted: readonly Unlisted[]
} {
  const first = new Map<string, ListedReading>()
  const replaced: Unlisted[] = []
  for (const skill of skills) {
    if ('dropped' in skill) continue
    const other = first.get(skill.name)
    if (other === undefined) first.set(skill.name, skill)
    else {
      const text = `${other.path} has the same name, and is read first.`
      const reason = { code: 'same-name', text } as const
      replaced.push({ name: skill.name, file: skill, outcome: 'replaced', reason })
    }
  }
  const { listed, unlisted } = sortReadings(skills)
  const others = unlisted.filter(({ file }) => !replaced.some((one) => one.file === file))
  return {
    names: new Set(first.keys()),
    listed: listed.filter((skill) => first.get(skill.name) === skill),
    unlisted: [...others, ...replaced],
  }
}

/** Shows all entries: the list has no limit. */
export async function fitAll(entries: readonly ListEntry[]): Promise<Fitted> {
  return {
    limit: null,
    unit: 'characters',
    sizes: entries.map(({ name, length }) => name.length + length),
    shown: entries.map(({ length }) => length),
  }
}
