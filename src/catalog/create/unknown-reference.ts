import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'

/** Near names are looked for this often; more wrong names than that have one common cause. */
const MOST_SEARCHES = 10

/** Who names something that is not there. */
export interface Reference {
  readonly from: {
    readonly kind: 'skill' | 'toolset' | 'agent'
    readonly name: string
    readonly path?: string
  }
  readonly field: string
  readonly to: string
}

/** Makes the findings for references to definitions of one kind that a catalog lacks. */
export function unknownReference(
  kind: 'skill' | 'tool' | 'toolset',
  known: ReadonlyMap<string, unknown>,
): (reference: Reference, severity?: 'warning' | 'info') => Diagnostic {
  let searches = 0
  return ({ from, field, to }, severity = 'warning') => {
    const near = searches < MOST_SEARCHES ? nearestNames(to, known.keys()) : []
    searches += 1
    return {
      code: `unknown-${kind}`,
      severity,
      message: `The ${from.kind} "${from.name}" names the ${kind} "${to}" in its ${field}, and there is none.`,
      hint: didYouMean(near, `Add the ${kind} to the catalog, or take its name out.`),
      ...(from.path !== undefined && { file: from.path }),
    }
  }
}
