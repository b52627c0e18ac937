import { createCatalog, defineAgent, VirtualWorkspace } from 'loadout'
import { FakeInput, FakeOutput } from './fake-terminal.ts'
import { generateSkills, loadoutSkills } from './generate-skills.ts'

/** The part of the playground's own module that is used here; no public name opens a screen. */
interface PlaygroundModule {
  loadPlayground(colours: 'terminal'): Promise<{
    openPlayground(request: object): Promise<VirtualWorkspace>
  }>
}

interface CounterModule {
  o200kCounter(): Promise<NonNullable<Parameters<typeof VirtualWorkspace.open>[0]['tokenCounter']>>
}

/** The playground on a terminal, with a person's keys. */
export interface OpenPlayground {
  readonly output: FakeOutput
  /** Sends keys as a terminal does; resolves with the frames that they led to. */
  press(keys: string): ReturnType<FakeOutput['measure']>
  /** Sends keys and waits for nothing. */
  push(keys: string): void
  close(): Promise<void>
}

/** Three tools each. */
const SKILLS = 3_334

/**
 * Opens the built playground, as the command line does, on 10,002 generated tools.
 *
 * @param openChat opens its conversation with a model; there is none when absent
 */
export async function openPlayground(
  columns: number,
  rows: number,
  openChat?: (parts: object) => Promise<unknown>,
): Promise<OpenPlayground> {
  const { loadPlayground } = await load<PlaygroundModule>('../dist/playground/load-playground.js')
  const { o200kCounter } = await load<CounterModule>('../src/workspace/open/o200k-counter.ts')
  const skills = loadoutSkills(generateSkills(SKILLS))
  const agent = defineAgent({ name: 'clerk', skills: skills.map(({ name }) => name) })
  const catalog = await createCatalog({ skills, agents: [agent] })
  const counter = await o200kCounter()
  const workspace = await VirtualWorkspace.open({ catalog, agent: 'clerk', tokenCounter: counter })
  const input = new FakeInput()
  const output = new FakeOutput(columns, rows)
  const playground = await loadPlayground('terminal')
  const drawn = output.seen('All actions')
  let shown: Promise<VirtualWorkspace> | undefined
  await output.measure(() => {
    shown = playground.openPlayground({
      name: 'generated tools',
      open: async () => ({ workspace, counter, live: true, trust: null, disk: null, openChat }),
      stdin: input,
      stdout: output,
      stderr: output,
      env: {},
      inline: false,
      mouse: true,
      screenReader: false,
      theme: { ascii: false, colour: true },
    })
  })
  await drawn
  return {
    output,
    press: (keys) => output.measure(() => input.push(keys)),
    push: (keys) => void input.push(keys),
    async close() {
      input.push('q')
      const left = await shown
      await left?.close()
    },
  }
}

async function load<Module>(path: string): Promise<Module> {
  const loaded: unknown = await import(new URL(path, import.meta.url).href)
  return loaded as Module
}
