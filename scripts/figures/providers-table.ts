import { PROVIDERS } from '../../src/workspace/offer/exposure/provider-facts.ts'
import { markdownTable } from './markdown-table.ts'

/** What is known of each provider, as `docs/exposure.md` shows it. */
export function providersTable(): string {
  const facts = Object.values(PROVIDERS)
  const rows = facts.map((one) => [
    `\`${one.name}\``,
    one.order.join(', '),
    `${one.minimum.toLocaleString('en')}${one.grain === 1 ? '' : `, then by ${one.grain}`}`,
    `${one.read}`,
    `${one.write}`,
    one.defers ? 'yes' : 'no',
  ])
  const notes = facts.map(
    ({ name, remarks, sources }) =>
      `- \`${name}\`: ${remarks} From ${sources.map((source) => `<${source}>`).join(', ')}.`,
  )
  const heading = ['provider', 'order of the request', 'least prefix', 'read', 'write', 'defers']
  return `${markdownTable(heading, rows)}\n\n${notes.join('\n')}`
}
