import type { OnConflict } from '../../skills/definition/skill.ts'
import type { CallRequest } from '../calls/call-request.ts'

/** Who gives a command; the host's own code when absent. */
export interface CommandOptions {
  readonly by?: 'host' | 'user'
}

/** How tools are registered at run time. */
export interface RegistrationOptions extends CommandOptions {
  readonly onConflict?: OnConflict
  /**
   * Other definitions may take the place of those that the same owner registered before under the same
   * name and version, as when a server changed its tools; refused otherwise.
   */
  readonly replace?: boolean
  /**
   * False for tools the host does not vouch for, as those of a server it does not run: what they say
   * of their own risk is not believed where that would make them seem safe.
   */
  readonly trusted?: boolean
}

/** How a call is made; the host's own code makes it when absent. */
export type CallOptions = Partial<
  Pick<CallRequest, 'call' | 'signal' | 'onOutput' | 'background'>
> & {
  readonly caller?: Exclude<CallRequest['caller'], 'tool'>
}
