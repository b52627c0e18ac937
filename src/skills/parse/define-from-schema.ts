import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineTool } from '../../tools/define-tool.ts'
import type { Tool } from '../../tools/definition/tool.ts'
import type { Findings } from './findings.ts'
import type { ToolSchemaValues } from './tool-schema-fields.ts'

/** Define a tool by what was read of its folder; null, and an error, when it cannot be. */
export function defineFromSchema(
  values: ToolSchemaValues & { readonly toolId: string; readonly description: string },
  summary: string,
  documentation: string,
  findings: Findings,
): Tool | null {
  const { category, sideEffects, extraction, guidance } = values
  const writes = sideEffects === true || sideEffects === 'writes'
  const risk = values.risk ?? (writes && category !== 'action' ? 'moderate' : undefined)
  try {
    return defineTool({
      name: values.toolId,
      description: values.description,
      input: values.parameters ?? { type: 'object', properties: {} },
      ...(values.output && { output: values.output }),
      ...(values.version !== undefined && { version: values.version }),
      ...(category !== undefined && { category }),
      ...(risk !== undefined && { risk }),
      ...(values.topic !== undefined && { topic: values.topic }),
      ...(values.allowedModes && { modes: values.allowedModes }),
      ...(values.phrases && { phrases: values.phrases }),
      ...(values.related && { related: values.related }),
      ...(values.idempotent !== undefined && { idempotent: values.idempotent }),
      ...(values.background !== undefined && { background: values.background }),
      ...(values.requiresConfirmation !== undefined && {
        requiresConfirmation: values.requiresConfirmation,
      }),
      ...(values.latencyBudgetMs !== undefined && { latencyMs: values.latencyBudgetMs }),
      ...(extraction && { extraction: withoutUndefined(extraction) }),
      ...(guidance && { guidance: withoutUndefined(guidance) }),
      ...(summary !== '' && { summary }),
      ...(documentation !== '' && { documentation }),
    })
  } catch (error) {
    if (!WorkspaceError.is(error)) throw error
    findings.add('error', 'tool-invalid', error.message, error.hint)
    return null
  }
}

function withoutUndefined<T extends object>(value: T) {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as {
    [Key in keyof T]: Exclude<T[Key], undefined>
  }
}
