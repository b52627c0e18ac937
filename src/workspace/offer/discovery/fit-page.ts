import type { TokenCounter } from '../../../kernel/token-counter.ts'
import { type ItemForm, type ItemForms, itemForms } from './item-forms.ts'
import type { FoundItem, PageSkill, PageTool, SearchPage } from './search-page.ts'

/** The results of a search, before they are fitted on a page. */
interface SearchFindings {
  /** Best first. */
  readonly items: readonly FoundItem[]
  readonly confidence: number
  readonly degraded?: string
  readonly actions: PageActions
}

/** A page, and the findings on it. The others count as not found. */
interface FittedPage {
  readonly page: SearchPage
  readonly shown: readonly FoundItem[]
}

/**
 * Fits findings on a page of at most `budget` tokens, counted as the JSON that is sent. Rules are added
 * later, and are not part of the budget.
 *
 * When they do not fit, the last ones are shortened first: descriptions end at a sentence, signatures lose
 * their types, and `shortened` names each of them. When there is room, the first ones get their complete
 * description, and then their complete schema if they are called by `call_tool`: otherwise the request
 * itself carries the schemas of found tools. A finding whose bare name does not fit is left out, and the
 * instruction says how many those are.
 */
export function fitPage(
  { items, confidence, degraded, actions }: SearchFindings,
  budget: number,
  counter: TokenCounter,
): FittedPage {
  const pageOf = (fitted: ReturnType<typeof fitItems>): SearchPage => {
    const tools = fitted.flatMap(({ entry }) => ('signature' in entry ? [entry] : []))
    const skills = fitted.flatMap(({ entry }) => ('signature' in entry ? [] : [entry]))
    const cut = fitted.flatMap(({ entry, isCut }) => {
      if (!isCut) return []
      return 'signature' in entry ? entry.name : entry.id
    })
    const shortened = cut.length > 1 && cut.length === fitted.length ? ['*'] : cut
    const left = items.length - fitted.length
    return {
      tools,
      skills,
      rules: '',
      instruction: pageInstruction({ tools, skills, shortened, left }, actions),
      confidence: Math.round(confidence * 100) / 100,
      shortened,
      ...(degraded !== undefined && { degraded }),
    }
  }
  // Items are counted separately, but the count of the page decides: the difference reduces the room.
  let room = budget
  for (;;) {
    const frame = pageTokens(pageOf([]), counter)
    const fitted = fitItems(items, room - frame, counter, actions.callTool)
    const page = pageOf(fitted)
    const over = pageTokens(page, counter) - budget
    if (over <= 0 || fitted.length === 0) return { page, shown: fitted.map(({ item }) => item) }
    room -= over
  }
}

/** Counts the tokens of a page as a model reads it, without its rules. */
export function pageTokens(page: SearchPage, counter: TokenCounter): number {
  return counter.count(JSON.stringify({ ...page, rules: '' }))
}

/** One item in its chosen form. */
interface FittedItem extends ItemForm {
  readonly item: FoundItem
}

/** An item while it is fitted: its forms from the richest to the barest, and the chosen one. */
interface Fitting extends ItemForms {
  readonly item: FoundItem
  chosen: number
}

/**
 * Chooses a form for each item, so that all of them together take at most `room` tokens.
 *
 * All start with the first sentence of their description. If that is too much, the richest item gets a
 * barer form, the last of several first, and items whose barest form does not fit are left out. If there is
 * room, items get richer forms in their order: first the starting form again, then the complete
 * description, then the schema, unless requests carry the schemas of found tools.
 */
function fitItems(
  items: readonly FoundItem[],
  room: number,
  counter: TokenCounter,
  withSchemas: boolean,
): readonly FittedItem[] {
  const fitting = items.map((item): Fitting => {
    const forms = itemForms(item)
    return { item, ...forms, chosen: forms.start }
  })
  const price = pricer(counter)
  const spent = () => fitting.reduce((sum, one) => sum + price(one, one.chosen), 0)
  for (let rich = richest(fitting); rich && spent() > room; rich = richest(fitting)) {
    rich.chosen += 1
  }
  while (fitting.length > 0 && spent() > room) fitting.pop()
  const levels = ['start', 'complete', ...(withSchemas ? (['schema'] as const) : [])] as const
  for (const level of levels) {
    for (const one of fitting) {
      const wanted = level === 'schema' ? 0 : one[level]
      while (one.chosen > wanted) {
        const more = price(one, one.chosen - 1) - price(one, one.chosen)
        if (spent() + more > room) break
        one.chosen -= 1
      }
    }
  }
  return fitting.map(({ item, forms, chosen }) => ({ item, ...formAt(forms, chosen) }))
}

/** Returns the last of the items that have the most forms below the chosen one. */
function richest(fitting: readonly Fitting[]): Fitting | undefined {
  const below = ({ forms, chosen }: Fitting) => forms.length - 1 - chosen
  const most = Math.max(0, ...fitting.map(below))
  return most === 0 ? undefined : fitting.findLast((one) => below(one) === most)
}

/** Returns a function that counts the tokens of a form, each form once. */
function pricer(counter: TokenCounter): (one: Fitting, at: number) => number {
  const known = new Map<ItemForm, number>()
  return ({ forms }, at) => {
    const form = formAt(forms, at)
    // Items are separated by a comma, which is counted with each item.
    const tokens = known.get(form) ?? counter.count(`${JSON.stringify(form.entry)},`)
    known.set(form, tokens)
    return tokens
  }
}

function formAt(forms: readonly ItemForm[], at: number): ItemForm {
  const form = forms[at]
  if (form === undefined) throw new Error(`an item of a page has no form ${at}`)
  return form
}

/** The ways a model can act on a page, through the meta-tools it was offered. */
export interface PageActions {
  /** It calls tools that are not in the request by `call_tool`. */
  readonly callTool: boolean
  readonly loadTool: boolean
  readonly loadSkill: boolean
}

interface OnPage {
  readonly tools: readonly PageTool[]
  readonly skills: readonly PageSkill[]
  readonly shortened: readonly string[]
  /** The number of findings that did not fit. */
  readonly left: number
}

/** Writes what to do with a page, in few words: a model pays for them at every search. */
function pageInstruction(
  { tools, skills, shortened, left }: OnPage,
  { callTool, loadTool, loadSkill }: PageActions,
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
