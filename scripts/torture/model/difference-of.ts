import { isDeepStrictEqual } from 'node:util'
import type { Model } from '../../../tests/torture/reference-state.ts'
import type { LiveSession } from './live-session.ts'
import { viewOf, viewOfModel } from './view.ts'

/** The first thing in which a session is not what the model says; null when there is none. */
export function differenceOf({ workspace }: LiveSession, model: Model): string | null {
  const is = viewOf(workspace)
  const should = viewOfModel(model, (skill) => workspace.catalog.skills.has(skill))
  const key = Object.keys(should).find((one) => !isDeepStrictEqual(is[one], should[one]))
  return key === undefined
    ? null
    : `${key} should be ${JSON.stringify(should[key])}, and is ${JSON.stringify(is[key])}`
}
