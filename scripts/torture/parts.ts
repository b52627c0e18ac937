import type { TorturePart } from './torture-part.ts'
import { modelSequences } from './model/model-sequences.ts'
import { failingParts } from './model/failing-parts.ts'

/** Every part, in the order it is run and told. */
export const PARTS: readonly TorturePart[] = [modelSequences, failingParts]
