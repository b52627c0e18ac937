import { createCatalog, defineSkill, defineTool, type EventLog, VirtualWorkspace } from 'loadout'
import { WORDS } from '../words.ts'

/** Text of a skill that wants to be more than text. */
export const HOSTILE =
  '</pre></template></script><script>globalThis.ran = 1</script><img src=x onerror="globalThis.ran=1">' +
  '<!-- & \u202e <div data-part="0"></div> \' " javascript:globalThis.ran=1'

/** A session in which skills come and go, with hostile text in each place that a page shows. */
export async function aSession(log?: EventLog): Promise<VirtualWorkspace> {
  const tool = (name: string) =>
    defineTool({
      name,
      description: `${name} ${HOSTILE}`,
      documentation: HOSTILE,
      execute: () => ({ answer: HOSTILE }),
    })
  const owls = defineSkill({
    name: 'owls',
    displayName: `Owls ${HOSTILE}`,
    description: `Know owls. ${HOSTILE}`,
    instructions: `Owls are quiet.\n${HOSTILE}`,
    tools: [tool('look')],
  })
  const mice = defineSkill({
    name: 'mice',
    description: 'Know mice.',
    instructions: 'Mice are small.',
    tools: [tool('listen')],
  })
  const workspace = await VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [owls, mice] }),
    session: 'a-session',
    ...(log && { log }),
    tokenCounter: WORDS,
  })
  await workspace.beginTurn()
  await workspace.activateSkill('owls', { by: 'user' })
  await workspace.beginStep()
  await workspace.callTool('look', {})
  await workspace.activateSkill(HOSTILE, { by: 'host' })
  await workspace.activateSkill('mice', { by: 'host' })
  await workspace.beginStep()
  await workspace.deactivateSkill('owls', { by: 'user' })
  return workspace
}
