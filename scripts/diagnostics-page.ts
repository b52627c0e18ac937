import { DIAGNOSTIC_GROUPS } from '../src/catalog/lint/diagnostic-groups.ts'
import type { DiagnosticGroup } from '../src/catalog/lint/codes/diagnostic-group.ts'

const INTRODUCTION = `# Diagnostics

A diagnostic is one finding about a definition: a stable \`code\`, a \`severity\`, a \`message\` and a \`hint\`
for people, and \`file\`, \`line\` and \`column\` where they are known, the last two counted from 1. Programs
should look at codes only. \`error\` means that the item, or a part of it, was not loaded; \`warning\` that it
was and is perhaps not what was meant; \`info\` is a remark.

\`loadout lint\` tells them by level: \`portable\` tells those of \`spec\`, too, and \`native\` all. See
[linting.md](linting.md). This page is written from the source by \`npm run docs:diagnostics\`.
`

/** `docs/diagnostics.md`, as Markdown. */
export function diagnosticsPage(): string {
  return [INTRODUCTION, ...DIAGNOSTIC_GROUPS.map(section)].join('\n')
}

function section({ title, origin, level, codes }: DiagnosticGroup): string {
  const from = level === null ? 'Not told by lint.' : `Told by lint from level \`${level}\`.`
  const rows = Object.entries(codes).map(([code, { severity, what, hint, sources = [] }]) => {
    const links = sources.map((source, index) => `[${index + 1}](${source})`).join(' ')
    const pages = links === '' ? '' : ` ${links}`
    return `| \`${code}\` | ${severity.join(', ')} | ${cell(what)}${pages} | ${cell(hint)} |`
  })
  return [
    `## ${title}\n`,
    `${origin} ${from}\n`,
    '| code | severity | what | what to do |',
    '| --- | --- | --- | --- |',
    ...rows,
    '',
  ].join('\n')
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|')
}
