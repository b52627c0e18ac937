import type { PageSkill, PageTool } from './search-page.ts'

/** What a model can do about a page beside calling what is on it. */
export interface PageMeans {
  /** Tools that are not in the request are called by `call_tool`. */
  readonly callTool: boolean
  readonly loadTool: boolean
  readonly loadSkill: boolean
}

interface OnPage {
  readonly tools: readonly PageTool[]
  readonly skills: readonly PageSkill[]
  readonly shortened: readonly string[]
  /** Findings that had no room. */
  readonly left: number
}

/** What to do with a page, in as few words as say it: a model pays for them at every search. */
export function pageInstruction(
  { tools, skills, shortened, left }: OnPage,
  { callTool, loadTool, loadSkill }: PageMeans,
): string {
  const has = (callable: PageTool['callable']) => tools.some((one) => one.callable === callable)
  const isBare = callTool && tools.some(({ inputSchema }) => inputSchema === undefined)
  const isPartial = shortened.length > 0 || isBare
  const sentences = [
    tools.length > 0 && (callTool ? 'Call these by call_tool.' : 'Call these by name.'),
    has('on-call') && 'Calling an on-call tool loads its skill.',
    has('load-first') &&
      (loadSkill
        ? 'Before a load-first tool, call loadSkill with its skill.'
        : 'A load-first tool needs its skill loaded first.'),
    has('next-turn') && 'A next-turn tool has no calls left in this turn.',
    loadSkill && skills.some(({ loaded }) => !loaded) && 'Load a skill with loadSkill.',
    isPartial && loadTool && 'loadTool gives full schemas and documentation.',
    left > 0 && `${left} more did not fit: search in more specific words.`,
    'Search again for other needs.',
  ]
  return sentences.filter((one) => one !== false).join(' ')
}
