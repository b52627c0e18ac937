import { dirname, join, relative, sep } from 'node:path'
import { type Skill, WorkspaceError } from '../../entries/index.ts'
import { counted } from '../../entries/plan.ts'
import { isScript, sanitiseLine, thrownMessage, tryOrUndefined } from '../../entries/kit.ts'
import { describePresuppositions, findHidden } from '../../entries/definitions.ts'
import type { AddedSkill } from '../../entries/manifest.ts'
import { SIGNATURE_FILE, skillSigner } from './add/skill-signer.ts'
import { LOCK_FILE } from './config/default-paths.ts'
import type { ProjectOptions } from './folders/open-project.ts'
import { loadLock } from './lock/lock-project.ts'
import { FIXED_LIMITS } from './walk/load-options.ts'
import { readInside } from './walk/read-inside.ts'
import {
  openTrustStore,
  realFolder,
  type TrustRecord,
  trustChangedMessage,
} from './trust/trust-store.ts'

/** A skill of a folder that is not trusted, for the person who decides about it. */
export interface UntrustedSkill {
  readonly name: string
  /** The hash of the definition that the lines are about. */
  readonly hash: Skill['hash']
  readonly folder: string
  /** Its source, what it brings, and what is odd about it; safe to be shown. */
  readonly lines: readonly string[]
  /** The files that the person decides about; null when they cannot be trusted, as the lines say. */
  readonly read: TrustRecord | null
}

/** Finds skills of folders that are not trusted, and trusts them. */
export interface SkillTrust {
  /** Returns what a person has to know before a skill is activated; null for a skill that needs no question. */
  read(skill: Skill): Promise<UntrustedSkill | null>
  /** Trusts the folders of skills. Throws `TRUST_CHANGED` when one has changed since it was read. */
  trust(skills: readonly UntrustedSkill[]): Promise<void>
}

/**
 * Opens the trust in the folders of skills. A skill that is defined in code has none: its module was trusted.
 * The lock says where copied skills come from.
 */
export function openSkillTrust({
  trusted,
  trustStore: store = openTrustStore(),
  project = process.cwd(),
  lock = join(project, LOCK_FILE),
}: Pick<ProjectOptions, 'trusted' | 'trustStore' | 'project' | 'lock'>): SkillTrust {
  return {
    async read(skill) {
      if (trusted === true || skill.path === undefined) return null
      const folder = dirname(skill.path)
      const status = await store.check(folder)
      if (status.status === 'trusted' && trusted === undefined) return null
      const changed = status.status === 'changed' ? [trustChangedMessage(status.files)] : []
      const real = await realFolder(folder)
      const files = await readFiles(() => store.read(folder))
      const added = await addedAs(real, lock)
      const lines = [
        `The folder of the skill "${skill.name}" is not trusted.`,
        `Folder: ${folder}`,
        ...(await originLines(skill, real, added, files.read)),
        ...changed,
        ...contentLines(skill),
        ...files.lines,
      ]
      // One line each, so that no text of a skill can look like another line.
      const { name, hash } = skill
      return { name, hash, folder, lines: lines.map(safeLine), read: files.read }
    },
    async trust(skills) {
      for (const { folder, read } of skills) if (read !== null) await store.trust(folder, read)
    },
  }
}

/** Characters of a line: a longer one would move what follows out of sight. */
const LONGEST_LINE = 300

function safeLine(line: string): string {
  const safe = cutAt(sanitiseLine(line), LONGEST_LINE)
  return line.startsWith('  ') ? `  ${safe}` : safe
}

function cutAt(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most).toWellFormed()}…`
}

/** Items that are listed of a kind. */
const SHOWN = 20

async function readFiles(
  read: () => Promise<TrustRecord>,
): Promise<{ readonly read: TrustRecord | null; readonly lines: readonly string[] }> {
  try {
    const record = await read()
    const paths = record.files.map(([path]) => path)
    return { read: record, lines: listed(counted(paths.length, 'file'), paths) }
  } catch (problem) {
    if (!WorkspaceError.is(problem)) throw problem
    return { read: null, lines: ['', `It cannot be trusted: ${thrownMessage(problem)}`] }
  }
}

/** Finds the record of a copied skill. A lock that cannot be read has none. */
async function addedAs(folder: string, file: string): Promise<AddedSkill | undefined> {
  const lock = await loadLock(file).catch(() => null)
  if (lock?.added === undefined) return undefined
  const inner = relative(await realFolder(dirname(file)), folder)
  return lock.added.find((one) => one.folder === inner.replaceAll(sep, '/'))
}

/** Characters that are shown of a licence: a longer one could begin a line that looks like another. */
const LONGEST_LICENCE = 60

/** Returns the first line of the licence file next to a skill, as `add` reads it; undefined without one. */
async function licenceIn(folder: string, read: TrustRecord | null): Promise<string | undefined> {
  const [path] = read?.files.find(([one]) => LICENCE_FILE.test(one)) ?? []
  if (path === undefined) return undefined
  const options = { maxBytes: FIXED_LIMITS.maxTextBytes, followLinksOut: false }
  const outcome = await readInside(folder, join(folder, path), options)
  const text = outcome.ok ? new TextDecoder().decode(outcome.bytes) : ''
  const line = text.split('\n').find((one) => /\w/u.test(one))
  return line === undefined ? undefined : `${line.trim()} (${path})`
}

/** The licence of a skill is in its own folder, not in one below. */
const LICENCE_FILE = /^(?:licen[cs]e|copying)[^/]*$/iu

async function originLines(
  skill: Skill,
  folder: string,
  added: AddedSkill | undefined,
  read: TrustRecord | null,
): Promise<readonly string[]> {
  const license = skill.license ?? (await licenceIn(folder, read))
  const locked = added?.license ?? undefined
  const licence =
    license === undefined && locked !== undefined
      ? `${cutAt(locked, LONGEST_LICENCE)}, as ${LOCK_FILE} says`
      : cutAt(license ?? 'none is named', LONGEST_LICENCE)
  if (added === undefined) return ['Origin: unknown, since no lock has it', `Licence: ${licence}`]
  const { origin, path, commit, signer, files } = added
  const now = new Map(read?.files)
  const isAsCopied =
    read === null ||
    (now.size === files.length && files.every((one) => now.get(one.path) === one.digest))
  const isSigned = signer !== undefined && (await signerIn(folder, added)) === signer
  const signed = isSigned ? signer : `not by ${signer}, although ${LOCK_FILE} says so`
  return [
    `Origin: ${[origin, path, commit === undefined ? '' : `commit ${commit}`].filter((one) => one !== '').join(', ')}, as ${LOCK_FILE} says`,
    ...(signer === undefined || !isAsCopied ? [] : [`Signed by: ${signed}`]),
    ...(isAsCopied ? [] : ['Changed since it was copied.']),
    `Licence: ${licence}`,
  ]
}

/** Returns who signed the files that a lock has of a skill; undefined when nobody did. */
async function signerIn(folder: string, { name, files }: AddedSkill): Promise<string | undefined> {
  const options = { maxBytes: FIXED_LIMITS.maxTextBytes, followLinksOut: false }
  const signature = await readInside(folder, join(folder, SIGNATURE_FILE), options)
  const content = signature.ok ? signature.bytes : undefined
  return tryOrUndefined(() =>
    skillSigner(
      name,
      files.map((file) => ({ ...file, content })),
    ),
  )
}

const NO_MEANS = { toolsByHash: new Map(), skills: new Map() }

/** Lists what comes with a skill, and what is odd about it. */
function contentLines(skill: Skill): readonly string[] {
  const { tools, files, servers = [], permissions, diagnostics } = skill
  const brings = [
    ...tools.map((tool) =>
      typeof tool === 'string'
        ? `tool ${tool}, of the workspace`
        : `tool ${tool.name}, ${tool.risk} risk: ${tool.summary.split('\n', 1).join('')}`,
    ),
    ...files.filter(isScript).map(({ path }) => `script ${path}`),
    ...servers.map((server) => `server ${server}`),
  ]
  const { length: hidden } = findHidden(`${skill.description}\n${skill.instructions}`)
  const { presupposes } = describePresuppositions(skill, NO_MEANS)
  const findings = [
    ...(hidden === 0
      ? []
      : [
          `warning: Its text has ${counted(hidden, 'hidden character')}: models read them, but people do not see them.`,
        ]),
    ...diagnostics.map(({ severity, message }) => `${severity}: ${message}`),
  ]
  return [
    ...listed('Brings', brings.length === 0 ? ['only text'] : brings),
    ...listed('Presupposes', presupposes),
    ...listed('Asks for permissions, of which activating it grants none', permissions),
    ...listed('Findings', findings),
  ]
}

function listed(title: string, items: readonly string[]): readonly string[] {
  const more = items.length - SHOWN
  const rest = more > 0 ? [`and ${more} more`] : []
  const shown = [...items.slice(0, SHOWN), ...rest].map((item) => `  ${item}`)
  return items.length === 0 ? [] : ['', title, ...shown]
}
