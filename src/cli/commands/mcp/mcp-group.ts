import type { CliGroup } from '../../shell/cli-command.ts'
import { mcpServeCommand } from './mcp-serve-command.ts'

/** `loadout mcp`: the Model Context Protocol. */
export const mcpGroup: CliGroup = {
  name: 'mcp',
  summary: 'Serve a workspace to clients of the Model Context Protocol',
  commands: [mcpServeCommand],
}
