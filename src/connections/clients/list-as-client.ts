import { devNull } from 'node:os'
import { CLAUDE_CODE } from './claude-code.ts'
import { clientFolders } from './client-folders.ts'
import type {
  ClientName,
  ClientProfile,
  ListBudget,
  ListEntry,
  ListReason,
  ReasonCode,
  ReadSkill,
  Unlisted,
} from './client-profile.ts'
import { CODEX } from './codex.ts'
import { GEMINI_CLI } from './gemini-cli.ts'
import { OPENCODE } from './opencode.ts'
import { PI } from './pi.ts'
import { QWEN_CODE } from './qwen-code.ts'
import type { ListScope } from './find-skill-files.ts'

const PROFILES: Readonly<Record<ClientName, ClientProfile>> = {
  'claude-code': CLAUDE_CODE,
  codex: CODEX,
  opencode: OPENCODE,
  pi: PI,
  'gemini-cli': GEMINI_CLI,
  'qwen-code': QWEN_CODE,
}

/** A skill as a client shows it to its model. */
export interface ShownSkill {
  readonly name: string
  /** As the model reads it; null where only the name is shown, and for texts of the client, which are not known. */
  readonly description: string | null
  readonly builtIn: boolean
  readonly scope: ListScope
  readonly path: string | null
  readonly outcome: 'listed' | 'cut' | 'name-only'
  /** Empty if the skill is listed unchanged. */
  readonly reason: string
  /** The kind of the first reason; null without one. */
  readonly code: ReasonCode | null
  /** The most characters of a description that is longer. */
  readonly limit?: number
  readonly line: number | null
  /** Characters of the description that are shown, and that it has. */
  readonly shown: number
  readonly whole: number
  /** A sentence about what the profile does not know of this skill. */
  readonly unknown: string | null
}

/** The list that a client would show its model from a folder, and the outcome of every skill that it finds. */
export interface ClientListing {
  readonly client: ClientName
  readonly title: string
  readonly version: string
  readonly window: number
  /** In the order of the list. */
  readonly skills: readonly ShownSkill[]
  readonly unlisted: readonly UnlistedSkill[]
  /** A sentence about an order that the client leaves to chance; null without one. */
  readonly unknownOrder: string | null
  readonly budget: ListingBudget
}

/** The use of the room of a list, in its unit. */
export interface ListingBudget extends ListBudget {
  /** The size of all entries, by the origin of the skills. */
  readonly needed: Readonly<Record<ListScope, number>>
  /** For some windows, the first skill whose description is not shown to its end; null where all are. */
  readonly ends: readonly { readonly window: number; readonly at: string | null }[]
}

/** Windows for which a budget says at which skill it ends. */
const WINDOWS = [200_000, 272_000, 1_000_000]

/** A skill that is not in the list, with the reason. */
export interface UnlistedSkill {
  readonly name: string
  readonly path: string
  readonly outcome: Unlisted['outcome'] | 'no-room'
  readonly reason: string
  readonly code: ReasonCode
  readonly line?: number
}

/** Which folder, client, window and model a list is made for. */
export interface ListAsOptions {
  readonly folder: string
  /** Null for none. */
  readonly home: string | null
  readonly client: ClientName
  /** Tokens; by default the window of the client's default model. */
  readonly window?: number
  readonly model?: string
}

/** Returns exactly what a client would show its model from a folder, and the outcome of each skill with its reason. */
export async function listAsClient({
  folder,
  home,
  client,
  window,
  model,
}: ListAsOptions): Promise<ClientListing> {
  const profile = PROFILES[client]
  const folders = await clientFolders(folder, home ?? devNull)
  const read = await profile.read(folders)
  const { entries, unlisted, unknown, unknownOrder = null } = await profile.arrange(read, folders)
  const made = { window: window ?? profile.window, ...(model !== undefined && { model }) }
  const { shown, sizes, ...budget } = await profile.fit(entries, made, folders)
  const ends = await Promise.all(
    WINDOWS.map(async (window) => {
      const fitted = await profile.fit(entries, { ...made, window }, folders)
      const at = entries.findIndex(
        ({ length, nameOnly }, one) => nameOnly === undefined && (fitted.shown[one] ?? -1) < length,
      )
      return { window, at: entries[at]?.name ?? null }
    }),
  )
  const needed = { 'built-in': 0, home: 0, project: 0 }
  for (const [at, { scope }] of entries.entries()) needed[scope] += sizes[at] ?? 0
  const changes = new Map(read.map((one) => [one.path, one]))
  const skills = entries.flatMap((entry, at) => {
    const length = shown[at] ?? null
    return length === null
      ? []
      : [shownSkill(entry, length, changes.get(entry.file?.path ?? ''), unknown)]
  })
  const omitted = entries
    .filter((_, at) => shown[at] === null)
    .map(({ name, file }) => ({
      name,
      path: file?.path ?? '',
      outcome: 'no-room' as const,
      reason: 'not even its name fits in the list',
      code: 'no-room' as const,
    }))
  const { title, version } = profile
  return {
    client,
    title,
    version,
    window: made.window,
    skills,
    unlisted: [
      ...unlisted.map(({ file: { path }, reason: { code, text: reason }, ...one }) => {
        return { ...one, path, reason, code }
      }),
      ...omitted,
    ],
    unknownOrder,
    budget: { ...budget, needed, ends },
  }
}

function shownSkill(
  { name, description, length: whole, scope, file, nameOnly }: ListEntry,
  shown: number,
  read: ReadSkill | undefined,
  unknown: ReadonlyMap<string, string> | undefined,
): ShownSkill {
  const changed = read !== undefined && 'changed' in read ? read.changed : undefined
  const fitted = nameOnly ?? noRoom(shown, whole)
  const isBare = nameOnly !== undefined || (shown === 0 && whole > 0)
  const isCut = shown < whole || CUTS.has(changed?.code)
  const reasons = [fitted, changed].filter((one) => one !== undefined)
  const [{ code, limit } = { code: null }] = reasons
  return {
    name,
    description: description === null || isBare ? null : firstCharacters(description, shown),
    builtIn: scope === 'built-in',
    scope,
    path: file?.path ?? null,
    outcome: isBare ? 'name-only' : isCut ? 'cut' : 'listed',
    reason: reasons.map(({ text }) => text).join('; '),
    code,
    ...(limit !== undefined && { limit }),
    line: read?.line ?? null,
    shown,
    whole,
    unknown: unknown?.get(name) ?? null,
  }
}

/** Changes that take a part of a description. */
const CUTS: ReadonlySet<unknown> = new Set<ReasonCode>(['long-description', 'block-text'])

function noRoom(shown: number, whole: number): ListReason | undefined {
  if (shown >= whole) return undefined
  const cut = `cut from ${whole} to ${shown} characters, as the list has no more room`
  return { code: 'no-room', text: shown === 0 ? 'its description has no room in the list' : cut }
}

/** Codex counts characters, the others code units: both are the same where nothing is cut. */
function firstCharacters(text: string, count: number): string {
  return count >= text.length ? text : [...text].slice(0, count).join('')
}
