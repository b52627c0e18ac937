export { mcpServer, type McpServerOptions } from '../connections/mcp/client/mcp-server.ts'
export {
  readServerSkills,
  type ServerSkills,
  type ServerSkillsOptions,
} from '../connections/mcp/client/read-server-skills.ts'
export type { SamplingBudget } from '../connections/mcp/client/answer-requests.ts'
export type {
  ServerHealth,
  ServerListing,
  ServerTerms,
  ToolServer,
} from '../tools/definition/tool-server.ts'
export {
  type McpEndpoint,
  serveMcp,
  type StdioStreams,
} from '../connections/mcp/server/serve-mcp.ts'
export type {
  McpContext,
  McpPrompt,
  McpPromptArgument,
  McpPromptMessage,
  McpResource,
  McpServing,
} from '../connections/mcp/server/mcp-serving.ts'
export {
  behindLoadout,
  type BehindOptions,
  type GatedServer,
  type LowServer,
} from '../connections/mcp/server/behind-loadout.ts'
