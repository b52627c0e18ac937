import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { WorkspaceError } from '../../kernel/workspace-error.ts'
import { defineTool } from '../../registry/define-tool.ts'
import type { Tool } from '../../registry/tool.ts'
import { FILE_START, Findings } from './findings.ts'
import { readToolSchema } from './read-tool-schema.ts'
import type { ToolSchemaValues } from './tool-schema-fields.ts'

const MAX_SUMMARY_LINES = 4

/** The texts of a tool folder, as far as they are there. */
interface ToolFolderTexts {
  /** The path of `schema.json`, which findings name. */
  readonly file: string
  /** The name of the folder, which should be the tool's name. */
  readonly folder: string
  readonly schema: string
  /** `doc_summary.md`: two to four lines that stand in prompts. */
  readonly summary?: string
  /** `doc.md`: read on demand. */
  readonly documentation?: string
}

/** A tool without a handler, or null when an error keeps it from loading. */
interface ParsedToolFolder {
  readonly tool: Tool | null
  readonly diagnostics: readonly Diagnostic[]
}

/** Make an unbound tool of the texts of its folder. */
export function parseToolFolder(texts: ToolFolderTexts): ParsedToolFolder {
  const findings = new Findings(texts.file)
  const values = readToolSchema(texts.schema, findings)
  const summary = (texts.summary ?? '').trim()
  const documentation = (texts.documentation ?? '').trim()
  if (summary.split('\n').length > MAX_SUMMARY_LINES) {
    findings.add(
      'warning',
      'summary-too-long',
      `doc_summary.md has more than ${MAX_SUMMARY_LINES} lines, all of which stand in prompts.`,
      'Say in two to four lines what the tool does and when to use it; the rest goes into doc.md.',
    )
  }
  if (values === null) return { tool: null, diagnostics: findings.list }
  const name = values.toolId ?? texts.folder
  if (values.toolId === undefined) {
    findings.add(
      'warning',
      'name-missing',
      `The tool has no "toolId"; it goes by its folder's name, "${name}".`,
      `Add "toolId": "${name}".`,
      FILE_START,
    )
  } else if (name !== texts.folder) {
    findings.add(
      'warning',
      'name-mismatch',
      `The tool is named "${name}" but its folder is "${texts.folder}".`,
      'Give "toolId" and the folder the same name.',
    )
  }
  const description = values.description ?? summary
  if (values.description === undefined) {
    findings.add(
      description === '' ? 'error' : 'warning',
      'description-missing',
      description === ''
        ? 'The tool has no description, which is what a model chooses it by.'
        : 'The tool has no "description"; it is described by doc_summary.md.',
      'Add "description": say what the tool does and what it answers with.',
      FILE_START,
    )
  }
  const tool = findings.failed
    ? null
    : define({ ...values, toolId: name, description }, summary, documentation, findings)
  return { tool, diagnostics: findings.list }
}

function define(
  values: ToolSchemaValues & { readonly toolId: string; readonly description: string },
  summary: string,
  documentation: string,
  findings: Findings,
): Tool | null {
  const { category, sideEffects, extraction } = values
  const risk =
    values.risk ?? (sideEffects === true && category !== 'action' ? 'moderate' : undefined)
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
      ...(values.requiresConfirmation !== undefined && {
        requiresConfirmation: values.requiresConfirmation,
      }),
      ...(values.latencyBudgetMs !== undefined && { latencyMs: values.latencyBudgetMs }),
      ...(extraction && { extraction: withoutUndefined(extraction) }),
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
