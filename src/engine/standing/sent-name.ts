import { providerName } from '../../tools/provider-schema/provider-name.ts'
import type { Provider } from '../../tools/provider-schema/provider-schema.ts'

/**
 * Returns the name under which the model reads and calls a tool: that of the session, unless the provider
 * does not accept it. `owner/name` is never sent, and stays an address for the arguments of meta-tools.
 */
export function sentName(name: string, namesFor: Provider | undefined): string {
  return namesFor === undefined || name.includes('/') ? name : providerName(name, namesFor)
}
