import type { ContentHash } from './content-hash.ts'

/** The severity of a finding. `error` means that the item was not loaded. */
export type Severity = 'error' | 'warning' | 'info'

/** A finding about a definition: the problem, its place, and what to do about it. */
export interface Diagnostic {
  /** Stable and in kebab-case, for programs. */
  readonly code: string
  readonly severity: Severity
  readonly message: string
  readonly hint: string
  readonly file?: string
  /** 1-based. */
  readonly line?: number
  /** 1-based. */
  readonly column?: number
  /** The hash of the tool that cannot be called because of it: the finding explains the tool. */
  readonly tool?: ContentHash
}

/** A file, and a line in it if one is known. */
export interface FilePlace {
  readonly file: string
  /** 1-based. */
  readonly line?: number
}

/** Returns the place of a finding or a reason; undefined without a file. */
export function filePlace({
  file,
  line,
}: {
  readonly file?: string | null | undefined
  readonly line?: number | null | undefined
}): FilePlace | undefined {
  if (typeof file !== 'string') return undefined
  return { file, ...(typeof line === 'number' && { line }) }
}

/** Writes a place: `skills/a/SKILL.md:3`. The text is not sanitised. */
export function placeText({ file, line }: FilePlace): string {
  return line === undefined ? file : `${file}:${line}`
}
