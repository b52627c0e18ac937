import type { Cause } from '../../engine/model/cause.ts'
import { permittedSkills } from '../../engine/standing/permitted-skills.ts'
import { substituteVariables } from '../../kernel/substitute-variables.ts'
import type { ToolContext } from '../../tools/definition/tool-context.ts'
import { settleDiscovery } from '../offer/discovery/discovery-options.ts'
import { dispatchDrained } from '../calls/dispatch-drained.ts'
import type { MetaHost } from '../offer/meta-tools/meta-host.ts'
import type { MetaToolName } from '../offer/meta-tools/meta-tool-name.ts'
import type { SessionParts } from '../offer/session-parts.ts'
import type { WorkspaceOptions } from './workspace-options.ts'

/** What the meta-tools of a session work with; a command of theirs is caused by their call. */
export function metaHostOf(
  options: WorkspaceOptions,
  parts: SessionParts,
  offered: readonly MetaToolName[],
): MetaHost {
  const { store, surroundings, counter, dispatcher, clock } = parts
  const { catalog, agent } = surroundings
  const causeOf = ({ caller, id }: ToolContext['call']): Cause =>
    caller === 'model' || caller === 'tool' ? { by: caller, call: id } : { by: caller }
  return {
    catalog,
    surroundings,
    state: () => store.getState().state,
    loadable: permittedSkills(agent, catalog),
    activate: (skill, call) =>
      dispatchDrained({ type: 'skill.activate', skill }, causeOf(call), parts),
    deactivate: (skill, call) =>
      dispatchDrained({ type: 'skill.deactivate', skill }, causeOf(call), parts),
    discovery: settleDiscovery(options.discovery, agent),
    counter,
    means: {
      callTool: parts.exposure.strategy.bridges === true && offered.includes('call_tool'),
      loadTool: offered.includes('loadTool'),
      loadSkill: offered.includes('loadSkill'),
    },
    ...(options.scripts && { scripts: options.scripts }),
    monotonic: () => clock.monotonic(),
    record: (command, call) => dispatcher.dispatch(command, causeOf(call)),
    substitute: (text) =>
      substituteVariables(text, options.variables ? [options.variables] : []).text,
  }
}
