import type { TokenCounter } from '../../../entries/index.ts'
import { identityMemo, sanitiseLine } from '../../../entries/kit.ts'
import { diffCatalogs } from '../../../entries/manifest.ts'
import { knownSkillTokens, tokenChange } from '../../../entries/plan.ts'
import { fieldLines } from '../../report/writers/change-line.ts'
import type { DiskChange } from '../context/ui-state.ts'

/** The tokens of a skill before and after a change. */
interface ChangePrice {
  readonly before: number
  readonly after: number
}

const prices = identityMemo<ChangePrice | null>()

/** Returns the tokens that a skill adds to a request, in the session and on disk; null where not known. */
function changePrice({ skill, between }: DiskChange, counter: TokenCounter): ChangePrice | null {
  if (between === undefined) return null
  return prices([between.before, between.after], skill, () => {
    const [before = null, after = null] = [between.before, between.after].map((catalog) => {
      const found = catalog.skills.get(skill)
      return found === undefined ? null : knownSkillTokens(found, catalog, counter)
    })
    return before === null || after === null ? null : { before, after }
  })
}

/** Writes the change of the price in a column: `+41`. */
export function priceText(change: DiskChange, counter: TokenCounter): string {
  const price = changePrice(change, counter)
  if (price === null) return ''
  const by = price.after - price.before
  return ` ${by < 0 ? '' : '+'}${by}`
}

const differences = identityMemo<readonly string[]>()

/** Describes a change before it is accepted: what it costs, and how the definitions differ. */
export function changeLines(change: DiskChange, counter: TokenCounter): readonly string[] {
  const { skill, what, text, between } = change
  const head = `On disk, ${what}: ${sanitiseLine(text)}`
  const price = changePrice(change, counter)
  if (between === undefined || price === null) return [head]
  return [
    head,
    `The skill adds ${tokenChange(price, '->')}.`,
    '',
    ...differences([between.before, between.after], skill, () =>
      diffCatalogs(between.before, between.after).flatMap(({ kind, name, fields, what: how }) => {
        const isOwn = kind === 'skill' ? name === skill : name.startsWith(`${skill}/`)
        if (!isOwn) return []
        const lines = fieldLines(fields, { colour: false }).map((line) => line.slice(2))
        return [`${kind} ${sanitiseLine(name)} ${how}`, ...lines]
      }),
    ),
  ]
}
