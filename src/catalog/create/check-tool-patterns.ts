import type { Diagnostic } from '../../kernel/diagnostic.ts'
import type { Tool } from '../../tools/definition/tool.ts'

/** Characters of a pattern in a message. */
const MAX_PATTERN = 200

/** Returns a finding for each pattern of a tool's schemas that nothing checks. */
export function checkToolPatterns({ name, unchecked = [] }: Tool): readonly Diagnostic[] {
  return unchecked.map(({ pattern, reason }) => ({
    code: 'pattern-unchecked',
    severity: 'warning',
    message: `The tool "${name}" has the pattern ${quote(pattern)}, which is not checked, because it ${reason}.`,
    hint: 'Write the pattern in another way, check the value in the handler, or define the tool with a zod schema.',
  }))
}

function quote(pattern: string): string {
  return JSON.stringify(pattern.slice(0, MAX_PATTERN)).replaceAll('\\\\', '\\')
}
