import type { CliGroup } from '../../shell/cli-command.ts'
import { mcpListCommand, mcpPriceCommand } from './mcp-list-command.ts'
import { mcpWhyCommand } from './mcp-why-command.ts'
import { mcpServeCommand } from './mcp-serve-command.ts'

/** `loadout mcp`: the Model Context Protocol. */
export const mcpGroup: CliGroup = {
  name: 'mcp',
  summary: 'Serve a workspace over the Model Context Protocol, and look at servers',
  commands: [mcpServeCommand, mcpListCommand, mcpPriceCommand, mcpWhyCommand],
}
