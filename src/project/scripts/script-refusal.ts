import { WorkspaceError } from '../../kernel/workspace-error.ts'
import type { ScriptRequest } from '../../workspace/offer/meta-tools/script-run.ts'

/** Why a script does not run. */
export function scriptRefusal(
  code:
    | 'SCRIPT_NOT_ON_DISK'
    | 'SCRIPT_UNTRUSTED'
    | 'SCRIPT_CHANGED'
    | 'SCRIPT_WITHOUT_INTERPRETER'
    | 'SCRIPT_NOT_STARTED',
  { skill, file }: Pick<ScriptRequest, 'skill' | 'file'>,
  why: string,
  hint: string,
  more: { readonly facts?: Readonly<Record<string, unknown>>; readonly cause?: unknown } = {},
): WorkspaceError {
  return new WorkspaceError(
    code,
    `The script "${file.path}" of the skill "${skill.name}" was not run: ${why}`,
    { facts: { skill: skill.name, path: file.path, ...more.facts }, hint, cause: more.cause },
  )
}
