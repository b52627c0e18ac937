import { sameItems } from '../../../kernel/identity-memo.ts'
import type { PromptSection } from './prompt-document.ts'

interface ReusableSection {
  readonly objects: readonly object[]
  readonly text: string
  readonly section: PromptSection
}

/** Returns the session's last section of this id if its inputs are unchanged; otherwise makes it. */
export type ReuseSection = (
  id: string,
  objects: readonly object[],
  text: string,
  make: () => PromptSection,
) => PromptSection

/** The sections of each session's last document, by id. The key of a session is its opening entry. */
const lastSections = new WeakMap<object, ReadonlyMap<string, ReusableSection>>()

/**
 * Builds the step sections of a session, reusing unchanged ones: a call, an activation or a
 * deactivation leaves all other sections the same objects, with their cached token counts. Only the
 * sections of the last document are kept for each session.
 */
export function withSectionReuse<T>(session: object | null, build: (reuse: ReuseSection) => T): T {
  const before = session === null ? undefined : lastSections.get(session)
  const now = new Map<string, ReusableSection>()
  const built = build((id, objects, text, make) => {
    const known = before?.get(id)
    const isSame = known?.text === text && sameItems(known.objects, objects)
    const kept = isSame ? known : { objects, text, section: make() }
    now.set(id, kept)
    return kept.section
  })
  if (session !== null) lastSections.set(session, now)
  return built
}
