import { defineConfig } from 'loadout/node'
import { prompts } from './prompts.ts'
import { resources } from './resources.ts'
import { askingTools } from './asking-tools.ts'
import { tools } from './tools.ts'

/** A server for the conformance suites of the Model Context Protocol, made with the public interface alone. */
export default defineConfig({
  skills: ['./skills'],
  tools: [...tools, ...askingTools],
  discovery: { pinned: ['*'] },
  mcp: { name: 'loadout-conformance', resources, prompts },
})
