import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { unitVector } from './unit-vector.ts'

/**
 * What a model gave for some texts, as vectors of length 1.
 *
 * @param dimensions how many numbers each must have; null when that is not known yet
 * @throws WorkspaceError `EMBEDDINGS_WRONG` when there are not as many vectors as texts, when they
 * differ in dimensions, or hold something that is no number
 */
export function checkEmbeddings(
  vectors: readonly Float32Array[],
  texts: number,
  model: string,
  dimensions: number | null,
): readonly Float32Array[] {
  if (vectors.length !== texts) {
    throw wrong(model, `${vectors.length} vectors for ${texts} texts`)
  }
  const expected = dimensions ?? vectors[0]?.length ?? 0
  for (const vector of vectors) {
    if (vector.length !== expected || expected === 0) {
      throw wrong(model, `a vector of ${vector.length} numbers where ${expected || 'some'} belong`)
    }
    if (!vector.every(Number.isFinite)) throw wrong(model, 'a vector with something no number')
  }
  return vectors.map(unitVector)
}

function wrong(model: string, what: string): WorkspaceError {
  return new WorkspaceError('EMBEDDINGS_WRONG', `The model "${model}" gave ${what}.`, {
    facts: { model },
    hint: 'Name a model for embeddings. If its dimensions changed, begin with a new cache and store.',
  })
}
