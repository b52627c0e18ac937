import {
  createCatalog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type EventLog,
} from '../../../../src/entries/index.ts'

/** A workspace on a session of a log: the same in every process. */
export async function anOffice(log: EventLog): Promise<VirtualWorkspace> {
  const look = defineTool({
    name: 'look_up',
    description: 'Look a word up.',
    category: 'retrieval',
    inputSchema: { type: 'object', properties: { word: { type: 'string' } } },
    execute: (input) => input,
  })
  const skill = defineSkill({
    name: 'research',
    description: 'Find things out.',
    instructions: 'Look before you answer.',
    tools: [look],
  })
  return VirtualWorkspace.open({
    catalog: await createCatalog({ skills: [skill] }),
    log,
    session: 'work',
  })
}
