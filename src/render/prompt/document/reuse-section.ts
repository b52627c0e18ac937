import type { PromptSection } from './prompt-document.ts'

interface ReusableSection {
  readonly objects: readonly object[]
  readonly text: string
  readonly section: PromptSection
}

/** Gives the section a session had when it would be made from the same things, else makes it. */
export type ReuseSection = (
  id: string,
  objects: readonly object[],
  text: string,
  make: () => PromptSection,
) => PromptSection

/** The sections of each session's last document, by id; a session is its opening. */
const lastSections = new WeakMap<object, ReadonlyMap<string, ReusableSection>>()

/**
 * Build the step sections of a session with those it had before at hand: a call, or a skill that
 * comes or goes, leaves the sections of others the same objects, and their counts with them.
 * One set of sections is kept for a session, whatever happened in it before.
 */
export function withSectionReuse<T>(session: object | null, build: (reuse: ReuseSection) => T): T {
  const before = session === null ? undefined : lastSections.get(session)
  const now = new Map<string, ReusableSection>()
  const built = build((id, objects, text, make) => {
    const known = before?.get(id)
    const same = known?.text === text && sameObjects(known.objects, objects)
    const kept = known !== undefined && same ? known : { objects, text, section: make() }
    now.set(id, kept)
    return kept.section
  })
  if (session !== null) lastSections.set(session, now)
  return built
}

function sameObjects(a: readonly object[], b: readonly object[]): boolean {
  return a.length === b.length && a.every((object, index) => object === b[index])
}
