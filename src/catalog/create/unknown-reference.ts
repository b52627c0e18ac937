import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { didYouMean, nearestNames } from '../../kernel/nearest-names.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Searches for near names. More wrong names than this have one common cause. */
const MAX_SEARCHES = 10

/** A field of a definition that names another definition. */
export interface Reference {
  readonly from: {
    readonly kind: 'skill' | 'toolset' | 'agent'
    readonly name: string
    readonly path?: string
  }
  readonly field: string
  readonly to: string
}

/** Creates findings for references to definitions of one kind that are not in the catalog. */
export function unknownReference(
  kind: 'skill' | 'tool' | 'toolset' | 'server',
  known: ReadonlyMap<string, unknown>,
): (reference: Reference, severity?: 'warning' | 'info') => Diagnostic {
  let searches = 0
  return ({ from, field, to }, severity = 'warning') => {
    const near = searches < MAX_SEARCHES ? nearestNames(to, known.keys()) : []
    searches += 1
    return {
      code: `unknown-${kind}`,
      severity,
      message: `The ${from.kind} "${from.name}" names the ${kind} "${to}" in its ${field}, but there is no such ${kind}.`,
      hint: didYouMean(near, `Add the ${kind} to the catalog, or remove its name.`),
      ...(from.path !== undefined && { file: from.path }),
    }
  }
}

/** Creates findings for the related tools of a tool that do not exist, or are the tool itself. */
export function unknownRelated(
  { name, related }: Pick<Tool, 'name' | 'related'>,
  tools: ReadonlySet<string>,
): readonly Diagnostic[] {
  return [...new Set(related)]
    .filter((one) => one === name || !tools.has(one))
    .map((one): Diagnostic => ({
      code: 'related-unknown',
      severity: 'warning',
      message:
        one === name
          ? `The tool "${name}" is related to itself.`
          : `The tool "${name}" is related to "${one}", but there is no such tool.`,
      hint: didYouMean(nearestNames(one, tools, 2), 'Correct the name, or remove it.'),
    }))
}
