import type { Diagnostic } from '../../../entries/index.ts'
import { sanitiseLine } from '../../../entries/kit.ts'

/** A definition, a scenario or an eval, with what is wrong about it. */
export interface Judgement {
  /** Its file or folder. */
  readonly file: string
  readonly name: string
  readonly problems: readonly Problem[]
  /** The reason why it was not judged. */
  readonly skipped?: string
}

/** Something that is wrong, with its place. */
export interface Problem extends Pick<Diagnostic, 'severity' | 'message' | 'line' | 'column'> {
  readonly title: string
  readonly file: string
}

/** Returns what makes a judgement fail, where `warning` is stricter than `error`. */
export function failures({ problems }: Judgement, failOn: 'error' | 'warning'): readonly Problem[] {
  return problems.filter(
    ({ severity }) => severity === 'error' || (severity === 'warning' && failOn === 'warning'),
  )
}

/** Writes a problem in one line, behind its place. */
export function problemLine({ file, line, message }: Problem): string {
  return sanitiseLine(`${file}${line === undefined ? '' : `:${line}`} ${message}`)
}
