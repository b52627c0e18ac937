import {
  createCatalog,
  createMemoryLog,
  defineSkill,
  defineTool,
  VirtualWorkspace,
  type Diagnostic,
  type SkillDefinition,
  type WorkspaceOptions,
} from 'loadout'
import { onTestFinished } from 'vitest'
import {
  createContext,
  type ContextParts,
} from '../../../src/workbench/playground/session/create-context.ts'
import { createUiStore } from '../../../src/workbench/playground/context/ui-state.ts'
import { DIALOGS } from '../../../src/workbench/playground/dialogs/dialogs.tsx'
import { buildKeyTable } from '../../../src/workbench/playground/screen/build-key-table.ts'
import { PANES } from '../../../src/workbench/playground/panes/panes.ts'
import type { PlaygroundContext } from '../../../src/workbench/playground/context/playground-context.ts'
import { WORDS } from './words.ts'

export { WORDS }

export const TABLE = buildKeyTable(PANES, DIALOGS)

/** The requests of a screen to its terminal. */
export interface Asked {
  exits: number
  redraws: number
  stops: number
  readonly copies: string[]
}

export interface APlayground {
  readonly context: PlaygroundContext
  readonly workspace: VirtualWorkspace
  readonly asked: Asked
}

/** Query tables, which asks first; and a skill that requires another. */
const SOME_SKILLS: readonly SkillDefinition[] = [
  {
    name: 'data-analysis',
    displayName: 'Data Analysis',
    description: 'Ask questions of tables.',
    tags: ['sql'],
    instructions: 'Look at the columns first.',
    tools: [
      defineTool({
        name: 'query_table',
        description: 'Run one query.',
        execute: () => ({ rows: [] }),
      }),
      defineTool({ name: 'list_tables', description: 'List the tables.', execute: () => [] }),
    ],
  },
  {
    name: 'reporting',
    description: 'Write a report of what was found.',
    requires: ['data-analysis'],
    instructions: 'One page.',
    tools: [defineTool({ name: 'write_report', description: 'Write it.', execute: () => 'done' })],
  },
  { name: 'music', description: 'Play songs.', conflicts: ['reporting'] },
]

/** A session with a screen's store and context, as the product puts them together. */
export async function aPlayground(
  skills: readonly SkillDefinition[] = SOME_SKILLS,
  parts: Partial<Omit<ContextParts, 'workspace' | 'ui' | 'counter'>> = {},
  diagnostics: readonly Diagnostic[] = [],
  {
    servers = [],
    ...options
  }: Pick<WorkspaceOptions, 'provider' | 'exposure' | 'policy' | 'client'> &
    Pick<Parameters<typeof createCatalog>[0], 'servers'> = {},
): Promise<APlayground> {
  const log = createMemoryLog()
  const workspace = await VirtualWorkspace.open({
    log,
    catalog: await createCatalog({ skills: skills.map(defineSkill), servers, diagnostics }),
    session: 'a-session',
    tokenCounter: WORDS,
    ...options,
  })
  const asked: Asked = { exits: 0, redraws: 0, stops: 0, copies: [] }
  const { context, close } = await createContext({
    workspace,
    ui: createUiStore('skills'),
    counter: WORDS,
    live: true,
    kept: {
      definitions: async (hashes) => log.definitions.get(hashes),
      messages: async () => [],
    },
    accept: () => Promise.resolve(),
    terminal: {
      exit: () => void (asked.exits += 1),
      redraw: () => void (asked.redraws += 1),
      stop: () => void (asked.stops += 1),
      suspend: (program) => program(),
      edit: () => Promise.resolve(null),
      copy: (text) => asked.copies.push(text) > 0,
      open: () => Promise.resolve(false),
    },
    ...parts,
  })
  onTestFinished(async () => {
    close()
    await workspace.close()
  })
  return { context, workspace, asked }
}
