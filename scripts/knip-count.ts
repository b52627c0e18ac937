import type { ReporterOptions } from 'knip'

/** A reporter for knip that prints how much it checked. Knip needs a default export. */
export default function knipCount({ counters, report }: ReporterOptions): void {
  const issues = Object.entries(counters)
    .filter(([kind]) => Object.hasOwn(report, kind))
    .reduce((sum, [, count]) => sum + count, 0)
  console.log(`${counters.processed} files, ${issues} issues`)
}
