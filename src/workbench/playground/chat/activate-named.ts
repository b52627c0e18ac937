import { type VirtualWorkspace, WorkspaceError } from '../../../entries/index.ts'
import { findSkill } from '../../../entries/kit.ts'
import type { ChatNotice } from './chat-event.ts'

/**
 * Activates a skill as a person does, or for a preview, which also shows what only a model or the host activates.
 * Words after its name are its arguments: `fix-issue 123 high`. Throws when it is refused.
 */
export async function activateNamed(
  workspace: VirtualWorkspace,
  text: string,
  purpose: 'use' | 'preview',
): Promise<void> {
  const { skills } = workspace.catalog
  const [name, given] = findSkill(text, skills).ok ? [text] : splitArguments(text)
  const found = findSkill(name, skills)
  const isHidden = found.ok && skills.get(found.name)?.userInvocable === false
  const outcome = await workspace.activateSkill(name, {
    by: isHidden && purpose === 'preview' ? 'host' : 'user',
    ...(given !== undefined && { arguments: given }),
  })
  if (outcome.ok) return
  const { code, message, hint, facts } = outcome
  throw new WorkspaceError(code, message, { hint, facts })
}

/** Splits `name arguments` at the first blank. */
export function splitArguments(text: string): readonly [name: string, given?: string] {
  const [, name = text, given] = /^(\S+)\s+(.*)$/su.exec(text.trim()) ?? []
  return given === undefined ? [name] : [name, given]
}

/**
 * Activates the skill whose name a message begins with, as in `/fix-issue 123 high`. Returns the refusal; null where the
 * message can be sent.
 */
export async function activateFirst(
  workspace: VirtualWorkspace,
  message: string,
): Promise<ChatNotice | null> {
  const [, text = ''] = /^\/(\S.*)$/su.exec(message.trim()) ?? []
  if (!findSkill(splitArguments(text)[0], workspace.catalog.skills).ok) return null
  try {
    await activateNamed(workspace, text, 'use')
    return null
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    const { code, message: what, hint } = error
    return code === 'skill-already-active' ? null : { type: 'notice', code, message: what, hint }
  }
}
