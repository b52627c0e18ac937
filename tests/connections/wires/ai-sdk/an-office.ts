import { createCatalog, defineAgent, defineSkill, defineTool, VirtualWorkspace } from 'loadout'
import type { Catalog, WorkspaceOptions } from 'loadout'
import { z } from 'zod'

/** The calls that the tools of the office ran, in order. */
export type Deeds = string[]

const clock = defineTool({
  name: 'clock',
  description: 'Says what time it is.',
  summary: 'Tell the time.',
  inputSchema: z.object({}),
  execute: () => '12:00',
})

/** A catalog of two skills, one global tool, and an agent that may load both. */
export async function officeCatalog(deeds: Deeds = []): Promise<Catalog> {
  const readPdf = defineTool({
    name: 'readPdf',
    description: 'Read a PDF file.',
    category: 'retrieval',
    inputSchema: z.object({ file: z.string() }),
    execute: ({ file }) => {
      deeds.push(`read ${file}`)
      return { file, pages: 3 }
    },
  })
  const shred = defineTool({
    name: 'shred',
    description: 'Destroy a file.',
    category: 'action',
    requiresConfirmation: true,
    inputSchema: z.object({ file: z.string() }),
    execute: ({ file }) => {
      deeds.push(`shredded ${file}`)
      return { file, shredded: true }
    },
  })
  const skills = [
    defineSkill({
      name: 'pdf',
      description: 'Works with PDF files.',
      instructions: 'Read before you answer.',
      tools: [readPdf],
    }),
    defineSkill({
      name: 'bin',
      description: 'Destroys files.',
      instructions: 'Ask whether there is a copy.',
      tools: [shred],
    }),
  ]
  const agent = defineAgent({ name: 'clerk', prompt: 'You help in an office.' })
  return createCatalog({ skills, agents: [agent], tools: [clock] })
}

/** An office of its own. */
export async function openOffice(
  deeds: Deeds = [],
  options: Partial<WorkspaceOptions> = {},
): Promise<VirtualWorkspace> {
  const catalog = options.catalog ?? (await officeCatalog(deeds))
  return VirtualWorkspace.open({ agent: 'clerk', ...options, catalog })
}
