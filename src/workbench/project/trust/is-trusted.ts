import { realpath } from 'node:fs/promises'
import { type ContentHash, type Tool, WorkspaceError } from '../../../entries/index.ts'
import { quotedPath, thrownMessage, tryOrUndefined } from '../../../entries/kit.ts'
import { guardHandler, noteWithheld } from '../../../tools/definition/guard-handler.ts'
import { isInside } from '../walk/is-inside.ts'
import { isAsSurveyed, type Survey, surveyFolder } from './survey-folder.ts'
import { linkedContent, trustedPath } from './trust-digest.ts'
import {
  nearestRecord,
  openTrustStore,
  realFolder,
  trustChangedMessage,
  type TrustOptions,
  type TrustRecord,
  type TrustStatus,
  type TrustStore,
} from './trust-store.ts'

/**
 * Returns true when code of a folder may run. Calls `onChanged` for a trusted folder that changed.
 *
 * What is loaded from below a trusted folder is compared with what was trusted, from now on and in the whole process.
 * Where a host answers for the code, nothing is compared.
 */
export async function isTrusted(
  folder: string,
  { trusted, trustStore = openTrustStore() }: TrustOptions,
  onChanged?: (record: TrustRecord, files: readonly string[]) => void,
): Promise<boolean> {
  if (trusted !== undefined) {
    if (trusted) await forget(folder)
    return trusted
  }
  const real = await realFolder(folder)
  const record = nearestRecord(await trustStore.list(), real)
  if (record === undefined) {
    await trustedFolderAt(real)?.check()
    return false
  }
  const known = folders.get(record.folder)
  const isSame = known?.record.digest === record.digest && isSameStore(known.store, trustStore)
  const found = isSame ? known : new TrustedFolder(record, trustStore)
  folders.set(record.folder, found)
  await (isSame ? found.check() : found.compare())
  const { status } = found
  if (status?.status === 'changed') onChanged?.(status.record, status.files)
  return found.withheld === null
}

function isSameStore(one: TrustStore, other: TrustStore): boolean {
  return one === other || (one.file !== null && one.file === other.file)
}

/** The folders whose code this process may run because a person trusted them, by their real paths. */
const folders = new Map<string, TrustedFolder>()

/** Lets the host answer for the code of a folder, and of folders around and below it. */
async function forget(folder: string): Promise<void> {
  if (folders.size === 0) return
  const real = await realpath(folder).catch(() => folder)
  for (const [path, known] of folders) {
    if (!isInside(path, real) && !isInside(real, path)) continue
    known.isForgotten = true
    folders.delete(path)
  }
  const { uncoverFolder } = await import('./cover-folder.ts')
  uncoverFolder(real)
}

/** Has the handlers of tools withheld when the trusted folder that they are from changes. */
export function guardTools(tools: Iterable<Pick<Tool, 'execute'>>, root: string): void {
  const guard = trustedFolderAt(root)
  for (const tool of tools) guardHandler(tool, guard)
}

/** Returns the trusted folder that a folder (its real path) is in; undefined where a host answers for its code. */
export function trustedFolderAt(root: string): TrustedFolder | undefined {
  const records = [...folders.values()].map(({ record }) => record)
  return folders.get(nearestRecord(records, root)?.folder ?? '')
}

/** The reason why code of a trusted folder does not run any more. */
export interface TrustEnd {
  readonly message: string
  readonly hint: string
}

/** A folder that is trusted with the content of its record, until it changes or trust is withdrawn. Guards its handlers. */
class TrustedFolder {
  readonly record: TrustRecord
  readonly store: TrustStore
  status: TrustStatus | null = null
  withheld: TrustEnd | null = null
  isForgotten = false
  #survey: Survey | null = null
  #comparing: Promise<void> | undefined

  constructor(record: TrustRecord, store: TrustStore) {
    this.record = record
    this.store = store
  }

  check(): Promise<void> | undefined {
    // What changed since that began may have been read before.
    if (this.#comparing) return this.#comparing.then(() => this.check())
    const survey = this.#survey
    const isSame = survey !== null && tryOrUndefined(() => isAsSurveyed(survey)) === true
    return isSame ? undefined : this.compare()
  }

  /** Compares every file with the record. */
  compare(): Promise<void> {
    this.#comparing = this.#compare().finally(() => {
      this.#comparing = undefined
    })
    return this.#comparing
  }

  async #compare(): Promise<void> {
    const { record, store, withheld: before } = this
    // Before the files are read: what changes while they are read differs at the next check.
    this.#survey = await surveyFolder(record.folder, store.file).catch(() => null)
    const isFirst = this.status === null
    this.withheld = await this.#reason()
    if (this.withheld?.message !== before?.message) noteWithheld()
    if (this.isForgotten || (!isFirst && this.withheld?.message === before?.message)) return
    if (this.withheld === null) await this.#cover(record.files)
    else if (this.status?.status === 'untrusted') await this.#cover([])
  }

  async #reason(): Promise<TrustEnd | null> {
    const { folder, digest } = this.record
    const trust = `loadout trust ${quotedPath(folder)}`
    const again = 'A process that does not watch its files has to be started again.'
    try {
      this.status = await this.store.check(folder)
    } catch (problem) {
      const message = `The trusted folder "${folder}" cannot be compared: ${thrownMessage(problem)}`
      return { message, hint: WorkspaceError.is(problem) ? problem.hint : trust }
    }
    switch (this.status.status) {
      case 'trusted': {
        if (this.status.record.digest === digest) return null
        const message = `The folder "${folder}" was trusted again with other files than this process has loaded.`
        return { message, hint: 'Accept the changed skill, or start this process again.' }
      }
      case 'changed': {
        const hint = `Read what changed, then trust it again: ${trust}. ${again}`
        return { message: trustChangedMessage(this.status.files), hint }
      }
      case 'untrusted':
        return {
          message: `The folder "${folder}" is no longer trusted.`,
          hint: `Read the code, then trust the folder: ${trust}. ${again}`,
        }
    }
  }

  /** Has loads from the folder compared with recorded files. */
  async #cover(recorded: TrustRecord['files']): Promise<void> {
    const { folder } = this.record
    const { folders: listed = [], files: all = [] } = this.#survey?.listed ?? {}
    const digests = new Map(recorded)
    const files = new Map<string, ContentHash>()
    for (const { entry, path, real } of all) {
      const digest = digests.get(trustedPath(folder, path))
      if (digest === undefined) continue
      const isLink = entry.isSymbolicLink()
      const content = isLink ? await linkedContent(path, digest) : digest
      if (content !== undefined)
        files
          .set(path, content)
          .set(isLink ? await realpath(path).catch(() => path) : real, content)
    }
    const elsewhere = listed.flatMap((one) => (isInside(folder, one.real) ? [] : [one.real]))
    const { coverFolder } = await import('./cover-folder.ts')
    coverFolder({ folder, files, elsewhere: new Set(elsewhere) })
  }
}
