import type { Diagnostic } from '../../kernel/diagnostic.ts'
import { strictFaults } from '../../schema/provider-forms/strict-faults.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Characters of a pattern in a message. */
const MAX_PATTERN = 200

/**
 * Returns a finding for each part of a tool that has no effect: a pattern of its schemas that nothing checks, an
 * option of the AI SDK that was dropped, and `strict` where its schema is not.
 */
export function toolFindings(tool: Tool): readonly Diagnostic[] {
  const { name, unchecked = [], dropped = [] } = tool
  const patterns = unchecked.map(({ pattern, reason }) => ({
    code: 'pattern-unchecked',
    severity: 'warning' as const,
    message: `The tool "${name}" has the pattern ${JSON.stringify(pattern.slice(0, MAX_PATTERN)).replaceAll('\\\\', '\\')}, which is not checked, because it ${reason}.`,
    hint: 'Write the pattern in another way, check the value in the handler, or define the tool with a zod schema.',
  }))
  const options = dropped.map(({ option, reason, hint }) => ({
    code: 'sdk-option-dropped',
    severity: 'warning' as const,
    message: `The tool "${name}" came from the AI SDK, and its option "${option}" ${reason}`,
    hint,
  }))
  return [...patterns, ...options, ...(tool.strict === true ? notStrict(tool) : [])]
}

/** Says which providers refuse the schema of a strict tool: it is sent to them without `strict`. */
function notStrict({ name, inputSchema }: Tool): readonly Diagnostic[] {
  return (['openai', 'anthropic'] as const).flatMap((provider) => {
    const [first, ...more] = strictFaults(inputSchema, provider)
    if (first === undefined) return []
    const where = first.path === '' ? 'the top' : `"${first.path}"`
    const others = more.length === 0 ? '' : `, and ${more.length} more`
    const company = provider === 'openai' ? 'OpenAI' : 'Anthropic'
    return {
      code: 'strict-not-sent',
      severity: 'warning' as const,
      message: `The tool "${name}" is strict, but ${company} refuses its schema in a strict tool, so it is sent without "strict": ${where} ${first.reason}${others}.`,
      hint: 'Require every argument, let those that may be left out be null, and set additionalProperties to false; or leave "strict" out.',
    }
  })
}

/** Reports the tools of which nothing is known, because no code has imported their files. */
export function notImportedTools(
  modules: readonly { readonly file: string }[],
  known: readonly Diagnostic[],
): readonly Diagnostic[] {
  const reported = new Set(known.map(({ file }) => file))
  return modules
    .filter(({ file }) => !reported.has(file))
    .map(({ file }) => ({
      code: 'tool-untrusted',
      severity: 'warning',
      message: 'The tool in this file is unknown: code defines it, and was not run.',
      hint: 'Give what was loaded to bindHandlers, and what it returns to createCatalog.',
      file,
    }))
}
