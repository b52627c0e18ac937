import type { ClientRule } from './client-rule.ts'
import { CLIENT_PAGES } from './client-pages.ts'

/** What clients ask of the file itself, and of where it lies. */
export const CLIENT_FILE_RULES: Readonly<Record<string, ClientRule>> = {
  'portable-file-name': {
    severity: ['warning'],
    what: 'The file is `skill.md`: Codex and Gemini CLI look for `SKILL.md` only.',
    hint: 'Rename it to SKILL.md.',
    sources: [CLIENT_PAGES.codex, CLIENT_PAGES.geminiCli],
    check: ({ file }) =>
      /[\\/]SKILL\.md$/.test(file)
        ? []
        : [
            {
              message:
                'The file is not named SKILL.md, and Codex and Gemini CLI find no other one.',
              hint: 'Rename it to SKILL.md.',
            },
          ],
  },
  'portable-nested': {
    severity: ['warning'],
    what: 'The skill lies deeper than one folder below `skills`: Claude Code, Gemini CLI and OpenCode look no further.',
    hint: 'Move its folder directly below `skills`.',
    sources: [CLIENT_PAGES.claudeCode, CLIENT_PAGES.geminiCli, CLIENT_PAGES.openCode],
    check: ({ file }) => {
      const parts = file.split(/[\\/]/).slice(0, -2)
      const depth = parts.length - 1 - parts.lastIndexOf('skills')
      if (!parts.includes('skills') || depth === 0) return []
      return [
        {
          message: `The skill lies ${depth + 1} folders below "skills", where Claude Code, Gemini CLI and OpenCode do not look.`,
          hint: 'Move its folder directly below "skills".',
        },
      ]
    },
  },
  'portable-fence': {
    severity: ['warning'],
    what: 'A line of `---` around the front matter has spaces behind it: Gemini CLI does not take it for one.',
    hint: 'Make the line exactly `---`.',
    sources: [CLIENT_PAGES.geminiCli],
    check: ({ text }) => {
      const line = (text ?? '').split(/\r\n?|\n/).findIndex((one) => /^---[ \t]+$/.test(one))
      if (line < 0 || line > fenceLine(text ?? '')) return []
      return [
        {
          message: 'Spaces stand behind the --- line, so that Gemini CLI does not take it for one.',
          hint: 'Make the line exactly ---.',
          place: { line: line + 1, column: 4 },
        },
      ]
    },
  },
}

/** The line, from 0, of the fence that ends the front matter. */
function fenceLine(text: string): number {
  const lines = text.split(/\r\n?|\n/)
  const end = lines.findIndex((line, index) => index > 0 && /^---[ \t]*$/.test(line))
  return end < 0 ? 0 : end
}
