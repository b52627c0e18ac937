import type { Embedder } from '../../../src/search/vectors/embedder.ts'
import { documentText } from '../../../src/search/vectors/vector-index.ts'
import type { EvaluationQuery } from '../../../src/search/evaluate.ts'
import type { ToolDocument } from '../../../src/search/index/tool-document.ts'

const DIMENSIONS = 64

/**
 * An embedding model of a known quality over a set whose answers are known: a request lies between
 * its right tools and a direction of its own. Tools of one owner lie near each other, and all
 * texts have something in common, as with real models. Nothing in it looks at words, so its
 * mistakes are not those of the index.
 *
 * @param quality from 0 (knows nothing) to 1 (knows the answers)
 */
export function simulatedEmbedder(
  documents: readonly ToolDocument[],
  queries: readonly EvaluationQuery[],
  quality: number,
): Embedder {
  const common = direction('all')
  const places = new Map(
    documents.map((one) => {
      const owner = direction(`owner ${one.owner ?? one.name.split('_')[0]}`)
      const own = direction(one.name)
      return [one.name, own.map((x, at) => x + 0.7 * (owner[at] ?? 0) + (common[at] ?? 0))]
    }),
  )
  const byText = new Map(documents.map((one) => [documentText(one), places.get(one.name) ?? []]))
  const gold = new Map(queries.map((one) => [one.query.slice(0, 2_000), one.gold]))
  const queryVector = (text: string) => {
    const right = (gold.get(text) ?? []).flatMap((name) => [places.get(name) ?? []])
    return direction(text).map((x, at) => {
      const mean = right.reduce((sum, place) => sum + (place[at] ?? 0), 0) / (right.length || 1)
      return 1.5 * (1 - quality) * x + 2 * quality * mean + 0.5 * (common[at] ?? 0)
    })
  }
  return {
    model: `simulated ${quality}`,
    embed: async (texts, { purpose }) =>
      texts.map((text) =>
        Float32Array.from(
          purpose === 'query' ? queryVector(text) : (byText.get(text) ?? direction(text)),
        ),
      ),
  }
}

/** Numbers as of a normal distribution, the same for the same text. */
function direction(text: string): readonly number[] {
  let state = 7
  for (const character of text) state = (state * 31 + (character.codePointAt(0) ?? 0)) >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state + 1) / 4_294_967_297
  }
  return Array.from(
    { length: DIMENSIONS },
    () => Math.sqrt(-2 * Math.log(next())) * Math.cos(2 * Math.PI * next()),
  )
}
