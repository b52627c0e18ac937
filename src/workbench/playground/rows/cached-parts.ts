import type { StepPreview } from '../../../entries/index.ts'
import { identityMemo } from '../../../entries/kit.ts'
import { cachedTokens } from '../../report/facts/request-report.ts'

const cache = identityMemo<readonly number[]>()

/** Returns the cached tokens of each part of a request, in the order in which its provider reads them. */
export function cachedParts({
  predicted,
  cost,
}: Pick<StepPreview, 'predicted' | 'cost'>): readonly number[] {
  return cache([predicted, cost], '', () => {
    let left = cachedTokens(cost)
    return predicted.parts.map(({ tokens }) => {
      const own = Math.min(left, tokens)
      left -= own
      return own
    })
  })
}
