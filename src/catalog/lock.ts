import type { ContentHash } from '../kernel/content-hash.ts'

/** Raised when a lock of before would be misread. */
export const LOCK_FORMAT = 1

/**
 * A file as the Skills over MCP extension (`io.modelcontextprotocol/skills`) lists it in the
 * `resources` of a skill: digest and size are of the raw bytes.
 */
export interface LockedResource {
  readonly uri: string
  readonly digest: ContentHash
  readonly size: number
}

/** A skill with every file of its folder, `SKILL.md` among them, each once, by `uri`. */
export interface LockedSkill {
  /** `skill://<path>/SKILL.md`, the path from the folder that was locked. */
  readonly uri: string
  readonly resources: readonly LockedResource[]
}

/** A file of no skill: a shared tool, a toolset, an agent, rules, or the configuration. */
export interface LockedFile {
  /** From the folder that was locked, with `/`. */
  readonly path: string
  readonly digest: ContentHash
  readonly size: number
}

/** The digests that a deployment trusts, sorted; no clock and no absolute path is in it. */
export interface Lock {
  readonly format: typeof LOCK_FORMAT
  /** The hash of the catalog these files make, as in the manifest of the same folder. */
  readonly version: ContentHash
  readonly skills: readonly LockedSkill[]
  readonly files: readonly LockedFile[]
}
