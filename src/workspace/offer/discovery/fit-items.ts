import type { TokenCounter } from '../../../kernel/token-counter.ts'
import type { FoundItem } from './found-item.ts'
import { itemForms, type ItemForm, type ItemForms } from './item-forms.ts'

/** One item in the form it got. */
export interface FittedItem extends ItemForm {
  readonly item: FoundItem
}

/** An item on its way: its forms from the richest to the barest, and the one chosen. */
interface Fitting extends ItemForms {
  readonly item: FoundItem
  chosen: number
}

/**
 * Choose a form for each item, so that all of them together take at most `room` tokens.
 *
 * All begin with the first sentence of their description. Over the room, the richest of them
 * becomes barer, the last of several first; those whose barest form has no room are left out.
 * Under it, all become richer in their order: first as they began, then with their whole
 * description, then with their schema, unless requests carry the schemas of what was found.
 */
export function fitItems(
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
  const levels = ['start', 'whole', ...(withSchemas ? (['schema'] as const) : [])] as const
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

/** The last of the items that have the most forms below the one chosen. */
function richest(fitting: readonly Fitting[]): Fitting | undefined {
  const below = ({ forms, chosen }: Fitting) => forms.length - 1 - chosen
  const most = Math.max(0, ...fitting.map(below))
  return most === 0 ? undefined : fitting.findLast((one) => below(one) === most)
}

/** Tokens of a form; each is counted once, when it is first asked for. */
function pricer(counter: TokenCounter): (one: Fitting, at: number) => number {
  const known = new Map<ItemForm, number>()
  return ({ forms }, at) => {
    const form = formAt(forms, at)
    // A comma stands between two; its token is counted with each.
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
