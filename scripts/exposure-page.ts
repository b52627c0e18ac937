import { exposureTables } from './figures/exposure.ts'
import { providersTable } from './figures/providers-table.ts'
import { quote } from './quote.ts'

/** `docs/exposure.md` with its facts and figures as they are now. */
export function exposurePage(page: string, results: unknown): string {
  const { kept, saved } = exposureTables(results)
  const facts = quote(page, 'providers', providersTable())
  return quote(quote(facts, 'kept', kept), 'saved', saved)
}
