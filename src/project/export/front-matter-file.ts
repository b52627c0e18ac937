import { stringify } from 'yaml'

/**
 * A file of front matter and Markdown. In the plain YAML that the reference validator of the Agent
 * Skills specification takes: one field a line or block, no flow style for what holds something.
 */
export function frontMatterFile(fields: Readonly<Record<string, unknown>>, body: string): string {
  const given = Object.entries(fields).filter(([, value]) => value !== undefined)
  const yaml = stringify(Object.fromEntries(given), { lineWidth: 0, aliasDuplicateObjects: false })
  return `---\n${yaml}---\n${body.trim() === '' ? '' : `\n${body.trimEnd()}\n`}`
}
